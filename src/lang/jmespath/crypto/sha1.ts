/** SHA-1, as a name for things, never as a protection. SPEC: FIPS 180-4 section 6.1. */
import { digestOf, padded, rotateLeft } from "./padding.ts";

export function sha1(message: Uint8Array): Uint8Array {
  const view = padded(message, false);
  let state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let block = 0; block < view.byteLength; block += 64) state = mixBlock(schedule(view, block), state);
  return digestOf(state, false);
}

type State = readonly [number, number, number, number, number];

function schedule(view: DataView, block: number): Int32Array {
  const words = new Int32Array(80);
  for (let step = 0; step < 16; step++) words[step] = view.getInt32(block + step * 4, false);
  for (let step = 16; step < 80; step++) {
    const mixed = at(words, step - 3) ^ at(words, step - 8) ^ at(words, step - 14) ^ at(words, step - 16);
    words[step] = rotateLeft(mixed, 1);
  }
  return words;
}

function mixBlock(words: Int32Array, state: State): State {
  let [a, b, c, d, e] = state;
  for (let step = 0; step < 80; step++) {
    const round = Math.floor(step / 20);
    const next = (rotateLeft(a, 5) + mix(round, b, c, d) + e + (KEYS[round] ?? 0) + at(words, step)) | 0;
    [a, b, c, d, e] = [next, a, rotateLeft(b, 30), c, d];
  }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0, (state[4] + e) | 0];
}

const KEYS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  return round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}
