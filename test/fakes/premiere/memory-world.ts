import { silentWav } from "../wav.ts";
import type { MediaFacts, RenderOrder, World } from "./world.ts";

/** A file: media or not, with bytes where anything reads them. */
interface FileInMemory {
  readonly size: number;
  readonly facts: MediaFacts | null;
  readonly bytes?: Uint8Array;
}

/** A disk in memory that knows of each file only what matters to Premiere. */
export class MemoryWorld implements World {
  /** Size in bytes and what the file is as media; not media where it is `null`. */
  readonly files = new Map<string, FileInMemory>();
  /** Length of what is rendered, where it is not what was ordered. */
  rendersSeconds: number | undefined;
  /** Looks at a file that still see it grow after its render is over, as it does in Premiere. */
  readonly #growing = new Map<string, number>();
  /** Every render that was ordered. */
  readonly orders: RenderOrder[] = [];

  /** Puts a sound file there. */
  addSound(path: string, durationSeconds: number): void {
    this.files.set(path, {
      size: 44 + durationSeconds * 192_000,
      facts: { durationSeconds, hasVideo: false, hasAudio: true },
    });
  }

  async exists(path: string): Promise<boolean> {
    return this.files.has(path);
  }

  async probe(path: string): Promise<MediaFacts | null> {
    return this.files.get(path)?.facts ?? null;
  }

  async touch(path: string): Promise<void> {
    this.files.set(path, { size: 0, facts: null });
  }

  async save(path: string, text: string): Promise<void> {
    this.files.set(path, { size: text.length, facts: null });
  }

  async render(order: RenderOrder): Promise<void> {
    this.orders.push(order);
    // Seen live: what comes out is one frame longer than what was ordered.
    const ordered = Number(order.end - order.start + order.sequence.ticksPerFrame) / 254_016_000_000;
    const durationSeconds = this.rendersSeconds ?? ordered;
    const isSound = order.outputPath.endsWith(".wav");
    const facts = { durationSeconds, hasVideo: !isSound, hasAudio: true };
    const bytes = isSound ? silentWav(durationSeconds) : movieHeader(durationSeconds);
    // The file is there early, and grows.
    this.files.set(order.outputPath, { size: 1, facts: null });
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.files.set(order.outputPath, { size: bytes.byteLength, facts, bytes });
    this.#growing.set(order.outputPath, 1);
  }

  /** Part of the file port. */
  async remove(path: string): Promise<void> {
    this.files.delete(path);
  }

  /** Part of the file port. */
  async readBytes(path: string, position: number, length: number): Promise<Uint8Array> {
    return this.files.get(path)?.bytes?.slice(position, position + length) ?? new Uint8Array(0);
  }

  /** The part of the file port that placing needs. */
  async size(path: string): Promise<number | null> {
    const size = this.files.get(path)?.size ?? null;
    const looks = this.#growing.get(path) ?? 0;
    if (looks === 0 || size === null) return size;
    this.#growing.set(path, looks - 1);
    return Math.floor(size / 2);
  }
}

/** An MP4 of a file type and a movie header that states a length, behind some media that nobody reads. */
export function movieHeader(durationSeconds: number): Uint8Array {
  const header = box("mvhd", (view) => {
    view.setUint32(12, 1000);
    view.setUint32(16, Math.round(durationSeconds * 1000));
  });
  const media = box("mdat", () => undefined);
  const movie = new Uint8Array(8 + header.byteLength);
  movie.set(box("moov", () => undefined).subarray(0, 8));
  movie.set(header, 8);
  new DataView(movie.buffer).setUint32(0, movie.byteLength);
  return new Uint8Array([...box("ftyp", () => undefined), ...media, ...movie]);
}

function box(type: string, fill: (content: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(8 + 100);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.byteLength);
  for (const [index, letter] of [...type].entries()) view.setUint8(4 + index, letter.charCodeAt(0));
  fill(new DataView(bytes.buffer, 8));
  return bytes;
}
