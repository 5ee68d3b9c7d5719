import { createHash } from "node:crypto";
import { copyFile, readFile, rename } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as sendHttp } from "node:http";
import { extname, join } from "node:path";
import { type FrameRate, framesPerSecond } from "../../src/core/frame-rate.ts";
import { probeMedia } from "../../src/engine/ffmpeg/probe/probe.ts";
import { renderRange, renderSound } from "./render-range.ts";
import { codeOf, FOLDERS, Sandbox } from "./sandbox.ts";

/** What the preview's server works with. */
export interface PreviewServerOptions {
  /** 0 for a free one. */
  readonly port: number;
  /** Folder of the built plugin. */
  readonly panelFolder: string;
  /** Folder of the built page that pretends to be Premiere. */
  readonly pageFolder: string;
  /** Empty folder for the disks of the pretended computers. */
  readonly disksFolder: string;
  /** The media behind the sequence. */
  readonly mediaPath: string;
  readonly media: PreviewMedia;
  readonly service: { readonly url: string; readonly apiKey: string };
  /** Whether the pages load what is built anew. */
  readonly isWatched: boolean;
}

/** What the page is told when it opens. */
export interface PageSettings {
  readonly media: PreviewMedia;
  readonly folders: typeof FOLDERS;
  /** Key of the service behind this page; its address is the page's own. */
  readonly apiKey: string;
  readonly isWatched: boolean;
}

/** A running preview server. */
export interface PreviewServer {
  readonly url: string;
  /** Has every open page load what was built anew: the panel alone, or all of it. */
  reload(what: "panel" | "preview"): void;
  close(): Promise<void>;
}

/** A header that a foreign page cannot send without asking, and nobody answers its question. */
const PREVIEW_HEADER = "x-aside-preview";

/** A header of the disk's answers: the code of the system's error. */
const FAILED_HEADER = "x-disk-error";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
};

/** The panel's page may load from here alone, and compile nothing: as in UXP. */
const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src blob:",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Most bytes that one request may bring to the pretended disk. */
const BODY_MAX_BYTES = 256 * 1024 * 1024;

/** Starts the server on this computer's own address, where no other computer reaches it. */
export async function startPreviewServer(options: PreviewServerOptions): Promise<PreviewServer> {
  const handlers = new Handlers(options);
  const server = createServer((request, reply) => {
    handlers.answer(request, reply).catch((error: unknown) => {
      if (!reply.headersSent) reply.writeHead(500, { "content-type": "application/json" });
      reply.end(JSON.stringify({ code: codeOf(error) }));
    });
  });
  const port = await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    reload: (what) => handlers.reload(what),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Handlers {
  readonly #options: PreviewServerOptions;
  readonly #disks = new Map<string, Promise<Sandbox>>();
  readonly #renders = new Map<string, Promise<string>>();
  readonly #openPages = new Set<ServerResponse>();

  constructor(options: PreviewServerOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    // A foreign name that was made to point here (DNS rebinding), or a foreign page.
    if (!/^(127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? "")) return refuse(reply);
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) return refuse(reply);
    const url = new URL(request.url ?? "/", `http://${host}`);
    if (url.pathname === "/") return this.#sendFile(reply, join(this.#options.pageFolder, "premiere.html"));
    if (url.pathname === "/favicon.ico") return void reply.writeHead(204).end();
    const [, area, ...rest] = url.pathname.split("/");
    if (area === "preview") return this.#sendPage(reply, rest.join("/"));
    if (area === "panel") return this.#sendPanel(reply, rest.join("/"));
    if (area === "disk") return this.#runDisk(request, reply, rest[0] ?? "", url.searchParams);
    relay(this.#options.service.url, request, reply);
  }

  reload(what: "panel" | "preview"): void {
    for (const page of this.#openPages) page.write(`data: ${what}\n\n`);
  }

  async #sendPage(reply: ServerResponse, name: string): Promise<void> {
    if (name === "built") return this.#tellOfBuilds(reply);
    if (name !== "settings.js") return this.#sendFile(reply, safeJoin(this.#options.pageFolder, name));
    const { media, service, isWatched } = this.#options;
    const settings: PageSettings = { media, folders: FOLDERS, apiKey: service.apiKey, isWatched };
    reply.writeHead(200, { ...PAGE_HEADERS, "content-type": TYPES[".js"] });
    reply.end(`globalThis.previewSettings = ${JSON.stringify(settings).replaceAll("<", "\\u003c")};`);
  }

  /** A stream of events, for as long as the page is open. */
  #tellOfBuilds(reply: ServerResponse): void {
    reply.writeHead(200, { ...PAGE_HEADERS, "content-type": "text/event-stream" }).write(":\n\n");
    this.#openPages.add(reply);
    reply.on("close", () => this.#openPages.delete(reply));
  }

  /** The plugin's own files as they are; only its page gets the modules that UXP would have. */
  async #sendPanel(reply: ServerResponse, name: string): Promise<void> {
    const path = safeJoin(this.#options.panelFolder, name === "" ? "index.html" : name);
    if (name !== "" && name !== "index.html") return this.#sendFile(reply, path);
    const html = await readFile(path, "utf8");
    const scripts = ["settings.js", "uxp.js"].map((script) => `<script src="/preview/${script}"></script>`).join("");
    reply.writeHead(200, { ...PAGE_HEADERS, "content-type": TYPES[".html"] });
    reply.end(html.replace(/<script/i, `${scripts}<script`));
  }

  async #sendFile(reply: ServerResponse, path: string): Promise<void> {
    try {
      const bytes = await readFile(path);
      reply.writeHead(200, { ...PAGE_HEADERS, "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      reply.end(bytes);
    } catch {
      reply.writeHead(404).end();
    }
  }

  async #runDisk(request: IncomingMessage, reply: ServerResponse, verb: string, query: URLSearchParams): Promise<void> {
    const computer = request.headers[PREVIEW_HEADER];
    if (typeof computer !== "string" || !/^[a-z0-9-]{1,40}$/.test(computer)) return refuse(reply);
    const body = await readBody(request);
    try {
      const answer = await this.#answerDisk(await this.#disk(computer), verb, query, body);
      if (answer instanceof Uint8Array) reply.writeHead(200).end(answer);
      else reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer ?? null));
    } catch (error) {
      // An answer like any other: a file that is not there is nothing for the browser to complain of.
      reply.writeHead(200, { [FAILED_HEADER]: codeOf(error) }).end();
    }
  }

  /** The disk of a pretended computer, made when it is first asked for. */
  #disk(computer: string): Promise<Sandbox> {
    const present = this.#disks.get(computer);
    if (present !== undefined) return present;
    const { disksFolder, panelFolder } = this.#options;
    const disk = new Sandbox(join(disksFolder, computer), panelFolder);
    const prepared = disk.prepare().then(() => disk);
    this.#disks.set(computer, prepared);
    return prepared;
  }

  async #answerDisk(disk: Sandbox, verb: string, query: URLSearchParams, body: Uint8Array): Promise<unknown> {
    const path = query.get("path") ?? "";
    const number = (name: string) => Math.max(0, Number(query.get(name) ?? 0));
    if (verb === "stat") return disk.stat(path);
    if (verb === "read") return disk.read(path, number("position"), number("length"));
    if (verb === "write") return disk.write(path, number("position"), body);
    if (verb === "create") return disk.create(path);
    if (verb === "rename") return disk.rename(path, query.get("to") ?? "");
    if (verb === "remove") return disk.remove(path);
    if (verb === "folder") return disk.makeFolder(path);
    if (verb === "list") return disk.list(path);
    if (verb === "probe") return soundOrPicture(disk.realPath(path));
    if (verb !== "render") throw Object.assign(new Error("no such request"), { code: "ENOSYS" });
    const rate = { numerator: number("rate"), denominator: number("per") };
    return this.#render(disk, path, number("start"), number("end"), rate);
  }

  /** Renders once per range and copies from then on; the file is there early and grows, as in Premiere. */
  async #render(disk: Sandbox, path: string, start: number, end: number, rate: FrameRate): Promise<void> {
    await disk.create(path);
    const ending = extname(path);
    const key = JSON.stringify([start, end, rate, ending]);
    let rendered = this.#renders.get(key);
    if (rendered === undefined) {
      rendered = this.#renderNew(key, ending, { start, end, rate });
      this.#renders.set(key, rendered);
      rendered.catch(() => this.#renders.delete(key));
    }
    const part = disk.realPath(`${path}.rendered`);
    await copyFile(await rendered, part);
    await rename(part, disk.realPath(path));
  }

  async #renderNew(
    key: string,
    ending: string,
    range: { start: number; end: number; rate: FrameRate },
  ): Promise<string> {
    const { mediaPath } = this.#options;
    const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
    const outputPath = join(this.#options.disksFolder, `render-${name}${ending === ".wav" ? ending : ".mp4"}`);
    const render = ending === ".wav" ? renderSound : renderRange;
    await render({ mediaPath, ...range, outputPath });
    return outputPath;
  }
}

function refuse(reply: ServerResponse): void {
  reply.writeHead(403).end();
}

/** A file inside a folder, whatever the name says. */
function safeJoin(folder: string, name: string): string {
  return join(
    folder,
    ...decodeURIComponent(name)
      .split(/[\\/]/)
      .filter((part) => part !== ".." && part !== "."),
  );
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.byteLength;
    if (size > BODY_MAX_BYTES) throw Object.assign(new Error("too large"), { code: "EFBIG" });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" ? (address?.port ?? port) : port);
    });
  });
}

/**
 * Passes a request on to the service and its answer back, byte for byte. The page and the service share an origin this
 * way, as a browser demands; the `Host` header goes along, so that the service's signed links lead here too.
 */
function relay(serviceUrl: string, request: IncomingMessage, reply: ServerResponse): void {
  const { method, headers } = request;
  const onward = sendHttp(new URL(request.url ?? "/", serviceUrl), { method, headers, setHost: false }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
    answer.on("error", () => reply.destroy());
  });
  // No answer is what the panel must see when the service is gone, so no answer of our own stands in for it.
  onward.on("error", () => reply.destroy());
  reply.on("close", () => onward.destroy());
  request.pipe(onward);
}

/** What the page must know of the media that the pretended sequence shows. */
export interface PreviewMedia {
  readonly name: string;
  readonly durationSeconds: number;
  readonly rate: FrameRate;
}

/** What a file is as media, as Premiere asks when it imports one; `null` when it is none. */
async function soundOrPicture(
  path: string,
): Promise<{ readonly durationSeconds: number; readonly hasVideo: boolean; readonly hasAudio: boolean } | null> {
  try {
    const { durationSeconds, picture, sound } = await probeMedia(path);
    if (picture === null && sound === null) return null;
    return { durationSeconds: durationSeconds ?? 0, hasVideo: picture !== null, hasAudio: sound !== null };
  } catch {
    return null;
  }
}

/** Reads the media that the sequence is made from. @throws Error when it has no picture with a rate. */
export async function readMediaFacts(path: string, name: string): Promise<PreviewMedia> {
  const { durationSeconds, picture } = await probeMedia(path);
  if (durationSeconds === null || picture === null || picture.rate === null) {
    throw new Error("The preview needs a video file with a picture and a frame rate.");
  }
  if (framesPerSecond(picture.rate) > 120) throw new Error("The preview takes videos of up to 120 frames per second.");
  return { name, durationSeconds, rate: picture.rate };
}
