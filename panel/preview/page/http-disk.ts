import { utf8Bytes } from "../../../src/core/bytes.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { defined } from "../../../src/core/objects.ts";
import type { MediaFacts, RenderOrder, World } from "../../../test/fakes/premiere/world.ts";
import { type Disk, diskError } from "../../../test/fakes/uxp/disk.ts";
import { posixPath } from "../../../test/fakes/uxp/windows-disk.ts";

/** The browser's own: the panel's passes faster in tests. */
const pause = window.setTimeout.bind(window);

/** The pretended computer's disk: a folder behind the preview's own server. */
export class HttpDisk implements Disk {
  /** Bytes that may still be written; a switch of the preview lowers it. */
  room = Number.POSITIVE_INFINITY;
  /** Milliseconds by which an answer may be late; a switch of the preview. */
  lagMs = 0;
  readonly #computer: string;

  /** @param computer Name of the pretended computer: each has a disk of its own. */
  constructor(computer: string) {
    this.#computer = computer;
  }

  async stat(path: string): Promise<{ readonly size: number; readonly isFile: boolean } | null> {
    return (await this.ask("stat", { path })).json();
  }

  async read(path: string, position: number, target: Uint8Array): Promise<number> {
    const query = { path, position: String(position), length: String(target.byteLength) };
    const bytes = new Uint8Array(await (await this.ask("read", query)).arrayBuffer());
    target.set(bytes);
    return bytes.byteLength;
  }

  async write(path: string, position: number, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength > this.room) throw diskError("ENOSPC", path);
    this.room -= bytes.byteLength;
    // A copy: the buffer may be used again before the request has gone out.
    await this.ask("write", { path, position: String(position) }, bytes.slice());
  }

  async create(path: string): Promise<void> {
    await this.ask("create", { path });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.ask("rename", { path: from, to });
  }

  async remove(path: string): Promise<void> {
    await this.ask("remove", { path });
  }

  async makeFolder(path: string): Promise<void> {
    await this.ask("folder", { path });
  }

  async list(path: string): Promise<readonly string[]> {
    return (await this.ask("list", { path })).json();
  }

  /** Sends one request to the server's disk. @throws Error with the code of the system's error. */
  async ask(verb: string, query: Readonly<Record<string, string>>, body?: Uint8Array<ArrayBuffer>): Promise<Response> {
    const reply = await fetch(`/disk/${verb}?${new URLSearchParams(query)}`, {
      method: "POST",
      headers: { "x-aside-preview": this.#computer },
      ...defined({ body }),
    });
    if (this.lagMs > 0) await new Promise((resolve) => pause(resolve, Math.random() * this.lagMs));
    const code = reply.ok ? reply.headers.get("x-disk-error") : "EIO";
    if (code !== null) throw diskError(code, query["path"] ?? "");
    return reply;
  }
}

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
