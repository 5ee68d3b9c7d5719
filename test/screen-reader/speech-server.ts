import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** Letters that the voice says in a second: a fast listener's pace, so that interruptions are real. */
const LETTERS_PER_SECOND = 45;

/** What a screen reader gave its voice to say. */
export interface Utterance {
  readonly text: string;
  /** When it was handed over, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** `waiting`, then `speaking`, then `heard`; `cut` where something later took the voice away before its end. */
  state: "waiting" | "speaking" | "heard" | "cut";
}

/** A voice that says nothing and remembers everything. */
export interface SpeechServer {
  /** All that was said so far, in order. Grows. */
  readonly utterances: readonly Utterance[];
  close(): Promise<void>;
}

/**
 * Stands for speech-dispatcher at a Unix socket, in its own protocol (SSIP, as `speechd/client.py` speaks it): screen readers
 * send it their words, and each takes as long as it would be spoken, unless it is cancelled.
 */
export async function startSpeechServer(path: string): Promise<SpeechServer> {
  const utterances: Utterance[] = [];
  const sockets = new Set<Socket>();
  const voice = new Voice(utterances);
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
    void serve(socket, voice, sockets.size);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    utterances,
    close: async () => {
      voice.cancel();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Says one utterance after the other. */
class Voice {
  readonly #said: Utterance[];
  #timer: NodeJS.Timeout | null = null;

  constructor(said: Utterance[]) {
    this.#said = said;
  }

  /** Puts words behind those that wait; gives their number. */
  say(text: string): number {
    const number = this.#said.push({ text, at: Date.now(), state: "waiting" });
    if (this.#timer === null) this.#next();
    return number;
  }

  /** Falls silent. */
  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const one of this.#said) if (one.state === "waiting" || one.state === "speaking") one.state = "cut";
  }

  #next(): void {
    const next = this.#said.find(({ state }) => state === "waiting");
    this.#timer = null;
    if (next === undefined) return;
    next.state = "speaking";
    this.#timer = setTimeout(
      () => {
        next.state = "heard";
        this.#next();
      },
      (next.text.length / LETTERS_PER_SECOND) * 1000,
    );
  }
}

/** Answers one client, line by line. */
async function serve(socket: Socket, voice: Voice, client: number): Promise<void> {
  const reply = (...lines: readonly string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(""));
  let data: string[] | null = null;
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (data !== null) {
      if (line !== ".") data.push(line.startsWith("..") ? line.slice(1) : line);
      else {
        reply(`225-${voice.say(plainText(data.join(" ")))}`, "225 OK MESSAGE QUEUED");
        data = null;
      }
      continue;
    }
    const [command = "", first = "", second = ""] = line.split(" ");
    switch (command.toUpperCase()) {
      case "SPEAK":
        data = [];
        reply("230 OK RECEIVING DATA");
        break;
      case "CHAR":
      case "KEY":
      case "SOUND_ICON":
        reply(`225-${voice.say(first)}`, "225 OK MESSAGE QUEUED");
        break;
      case "STOP":
      case "CANCEL":
        voice.cancel();
        reply("210 OK STOPPED");
        break;
      case "HISTORY":
        reply(`245-${client}`, "245 OK CLIENT ID SENT");
        break;
      case "LIST":
        reply(...listOf(first.toUpperCase()));
        break;
      case "GET":
        reply(
          `251-${/^(?:rate|pitch|volume)/i.test(first) ? "0" : second === "" ? "none" : second}`,
          "251 OK GET RETURNED",
        );
        break;
      case "QUIT":
        reply("231 HAPPY HACKING");
        socket.end();
        break;
      default:
        reply("208 OK");
    }
  }
}

/** One voice of one engine: readers ask which there are. */
function listOf(what: string): readonly string[] {
  if (what === "OUTPUT_MODULES") return ["250-recorder", "250 OK MODULE LIST SENT"];
  return ["249-one\ten-US\tnone", "249 OK VOICE LIST SENT"];
}

/** The words of SSML. */
function plainText(ssml: string): string {
  const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return ssml
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|apos);/g, (all, name: string) => entities[name] ?? all)
    .replace(/\s+/g, " ")
    .trim();
}
