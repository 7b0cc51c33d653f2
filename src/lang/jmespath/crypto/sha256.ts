/** SHA-256. Its constants are the first bits of roots of primes, and are made from them. SPEC: FIPS 180-4 section 6.2. */
import { digestOf, padded, rotateLeft } from "./padding.ts";

export function sha256(message: Uint8Array): Uint8Array {
  const view = padded(message, false);
  let state: readonly number[] = START;
  for (let block = 0; block < view.byteLength; block += 64) state = mixBlock(schedule(view, block), state);
  return digestOf(state, false);
}

const PRIMES = firstPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const KEYS = PRIMES.map((prime) => fractionBits(Math.cbrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
}

function schedule(view: DataView, block: number): Int32Array {
  const words = new Int32Array(64);
  for (let step = 0; step < 16; step++) words[step] = view.getInt32(block + step * 4, false);
  for (let step = 16; step < 64; step++) {
    const [near, far] = [at(words, step - 2), at(words, step - 15)];
    const first = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const second = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[step] = (at(words, step - 16) + first + at(words, step - 7) + second) | 0;
  }
  return words;
}

function mixBlock(words: Int32Array, state: readonly number[]): readonly number[] {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let step = 0; step < 64; step++) {
    const fromE = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + fromE + (KEYS[step] ?? 0) + at(words, step)) | 0;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] ?? 0)) | 0);
}

function turn(word: number, bits: number): number {
  return rotateLeft(word, 32 - bits);
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}
