import { frameRate } from "../../../src/core/frame-rate.ts";
import { utf8Bytes } from "../../../src/core/utf8.ts";
import type { MediaFacts, RenderOrder, World } from "../../../test/fakes/premiere/world.ts";
import { posixPath } from "../../../test/fakes/uxp/windows-disk.ts";
import type { HttpDisk } from "./http-disk.ts";

const TICKS_PER_SECOND = 254_016_000_000;

/** What the double of Premiere reaches: the pretended disk, and the server that really renders. */
export class HttpWorld implements World {
  /** Milliseconds that each render takes longer; a switch of the preview. */
  renderDelayMs = 0;
  readonly #disk: HttpDisk;

  constructor(disk: HttpDisk) {
    this.#disk = disk;
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#disk.stat(posixPath(path)))?.isFile === true;
  }

  async probe(path: string): Promise<MediaFacts | null> {
    return (await this.#disk.ask("probe", { path: posixPath(path) })).json();
  }

  async touch(path: string): Promise<void> {
    await this.#disk.create(posixPath(path));
  }

  async save(path: string, text: string): Promise<void> {
    await this.#disk.create(posixPath(path));
    await this.#disk.write(posixPath(path), 0, utf8Bytes(text));
  }

  async render({ sequence, start, end, outputPath }: RenderOrder): Promise<void> {
    await this.#disk.create(posixPath(outputPath));
    await new Promise((resolve) => setTimeout(resolve, this.renderDelayMs));
    const rate = frameRate(TICKS_PER_SECOND, Number(sequence.ticksPerFrame));
    await this.#disk.ask("render", {
      path: posixPath(outputPath),
      start: String(Number(start) / TICKS_PER_SECOND),
      end: String(Number(end) / TICKS_PER_SECOND),
      rate: String(rate.numerator),
      per: String(rate.denominator),
    });
  }
}
