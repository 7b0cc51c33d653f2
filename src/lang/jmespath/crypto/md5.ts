/** MD5, as a name for things, never as a protection. SPEC: RFC 1321. */
import { digestOf, padded, rotateLeft } from "./padding.ts";

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32));

export function md5(message: Uint8Array): Uint8Array {
  const view = padded(message, true);
  let state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < view.byteLength; block += 64) state = mixBlock(view, block, state);
  return digestOf(state, true);
}

type State = readonly [number, number, number, number];

function mixBlock(view: DataView, block: number, state: State): State {
  let [a, b, c, d] = state;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const word = view.getUint32(block + wordIndex(step, round) * 4, true);
    const sum = (a + mix(round, b, c, d) + word + (SINES[step] ?? 0)) | 0;
    const turned = (b + rotateLeft(sum, SHIFTS[round * 4 + (step & 3)] ?? 0)) | 0;
    [a, b, c, d] = [d, turned, b, c];
  }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0];
}

function wordIndex(step: number, round: number): number {
  if (round === 0) return step;
  if (round === 1) return (5 * step + 1) & 15;
  return (round === 2 ? 3 * step + 5 : 7 * step) & 15;
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  if (round === 1) return (d & b) | (~d & c);
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
}
