import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import * as z from "zod/mini";
import { parsedJson } from "../core/objects.ts";
import { writePrivateFile } from "./storage/private-file.ts";

/** What stands where a newer version is looked for: `{"version": "1.2.3"}`. More may stand there. */
const Notice = z.object({ version: z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/)) });

/** What is kept of the last look, so that a restart does not ask again. */
const LastLook = z.object({ looked_at: z.number(), version: z.nullable(Notice.shape.version) });

/** Name of the file with the last look in the data folder. */
const LAST_LOOK_FILE = "new-version.json";

/** A notice is a line; what is longer is none. */
const LONGEST_NOTICE_BYTES = 16_384;

/** How long an answer may take, to its last byte. */
const ANSWER_MS = 10_000;

const DAY_MS = 24 * 3600 * 1000;

/** How often it is seen to whether a day is over: a computer may have slept. */
const HOUR_MS = 3600 * 1000;

/** Whether it can be looked at an address: a whole path, or https without a name and password in it. */
export function isNoticePlace(place: string): boolean {
  if (isAbsolute(place)) return true;
  if (!URL.canParse(place)) return false;
  const { protocol, username, password } = new URL(place);
  return protocol === "https:" && username === "" && password === "";
}

/** What a look depends on. */
interface NewVersionOptions {
  /** Path of a file, or an https address. */
  readonly place: string;
  /** Version that runs. */
  readonly version: string;
  /** Folder in which the last look is kept. */
  readonly dataFolder: string;
  /** Whether nothing may leave this computer: then only a file is read. */
  readonly isLocalOnly: () => Promise<boolean>;
  /** Called with a newer version when it is first seen, and once after each start. */
  readonly onFound: (version: string) => void;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Replaced in tests. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Knows whether there is a newer version, from a place that it was told. It looks at most once a day, restarts included, and
 * sends nothing but the request. An answer that is late, too long or no notice leaves what was known before.
 */
export class NewVersion {
  readonly #options: NewVersionOptions;
  readonly #ending = new AbortController();
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #told: string | null = null;

  constructor(options: NewVersionOptions) {
    this.#options = options;
  }

  /** The newer version, as far as is known; `null` where there is none. */
  get found(): string | null {
    return this.#told;
  }

  /** Looks now and then from now on, without keeping the process. */
  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), HOUR_MS).unref();
  }

  /** Ends it, and a look that is under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#looking;
  }

  /** Looks, unless the last look was less than a day ago. Never raises. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      // What cannot be read or kept is no reason not to run, and changes nothing.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { place, dataFolder, isLocalOnly, now = Date.now } = this.#options;
    const file = join(dataFolder, LAST_LOOK_FILE);
    const last = await readFile(file, "utf8").then(
      (text) => LastLook.safeParse(parsedJson(text)).data,
      () => undefined,
    );
    this.#tell(last?.version ?? null);
    // A clock that was set back must not silence it for years.
    if (last !== undefined && Math.abs(now() - last.looked_at) < DAY_MS) return;
    if (!isAbsolute(place) && (await isLocalOnly())) return;
    const keep = (version: string | null) =>
      writePrivateFile(file, JSON.stringify({ looked_at: now(), version } satisfies z.output<typeof LastLook>));
    // Kept before it is asked: an answer that ends the process is not asked for at every start.
    await keep(last?.version ?? null);
    const { version } = z.parse(Notice, parsedJson(await this.#read(place)));
    await keep(version);
    this.#tell(version);
  }

  #tell(version: string | null): void {
    const found = version !== null && isNewer(version, this.#options.version) ? version : null;
    if (found !== null && found !== this.#told) this.#options.onFound(found);
    this.#told = found;
  }

  async #read(place: string): Promise<string> {
    if (isAbsolute(place)) {
      const { size } = await stat(place).then((found) => (found.isFile() ? found : { size: Number.NaN }));
      if (!(size <= LONGEST_NOTICE_BYTES)) throw new Error("it is no file of that kind");
      return await readFile(place, "utf8");
    }
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_MS)]);
    const ask = this.#options.fetch ?? fetch;
    const reply = await ask(place, { signal, redirect: "error", headers: { accept: "application/json" } });
    if (!reply.ok || reply.body === null) throw new Error(`the answer is ${reply.status}`);
    const pieces: Uint8Array[] = [];
    let length = 0;
    // Leaving the loop ends the connection.
    for await (const piece of reply.body) {
      length += piece.length;
      if (length > LONGEST_NOTICE_BYTES) throw new Error("the answer is too long");
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString("utf8");
  }
}

/** Whether one version of three numbers comes after another. */
function isNewer(version: string, than: string): boolean {
  const [numbers, others] = [version, than].map((one) => one.split(".").map((part) => Number.parseInt(part, 10)));
  const first = [0, 1, 2].find((place) => numbers?.[place] !== others?.[place]);
  return first !== undefined && (numbers?.[first] ?? 0) > (others?.[first] ?? 0);
}
