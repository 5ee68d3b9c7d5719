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

/** What a client is told of its words, by its number in the protocol. */
const EVENTS = { mark: "700 INDEX MARK", begin: "701 BEGIN", end: "702 END", cancel: "703 CANCELED" };

/** Tells a client of its words; `mark`: the name of the mark that was reached. */
type Tell = (number: number, event: keyof typeof EVENTS, mark?: string) => void;

/** A mark in what is said, and how many letters stand before it. */
interface Mark {
  readonly name: string;
  readonly letters: number;
}

/** Says one utterance after the other. */
class Voice {
  readonly #said: Utterance[];
  /** By the number of an utterance. */
  readonly #tellers: { readonly marks: readonly Mark[]; readonly tell: Tell }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #begunAt = 0;

  constructor(said: Utterance[]) {
    this.#said = said;
  }

  /** Puts words behind those that wait; gives their number. What is told of them is told later. */
  say(text: string, marks: readonly Mark[], tell: Tell): number {
    const number = this.#said.push({ text, at: Date.now(), state: "waiting" });
    this.#tellers.push({ marks, tell });
    if (this.#timer === null) this.#timer = setTimeout(() => this.#next());
    return number;
  }

  /** Falls silent. */
  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const letters = ((Date.now() - this.#begunAt) / 1000) * LETTERS_PER_SECOND;
    for (const [index, one] of this.#said.entries()) {
      if (one.state !== "waiting" && one.state !== "speaking") continue;
      if (one.state === "speaking") this.#tellMarks(index, letters);
      one.state = "cut";
      this.#tellers[index]?.tell(index + 1, "cancel");
    }
  }

  #next(): void {
    const index = this.#said.findIndex(({ state }) => state === "waiting");
    const next = this.#said[index];
    this.#timer = null;
    if (next === undefined) return;
    next.state = "speaking";
    this.#begunAt = Date.now();
    this.#tellers[index]?.tell(index + 1, "begin");
    const end = () => {
      next.state = "heard";
      this.#tellMarks(index, Number.POSITIVE_INFINITY);
      this.#tellers[index]?.tell(index + 1, "end");
      this.#next();
    };
    this.#timer = setTimeout(end, (next.text.length / LETTERS_PER_SECOND) * 1000);
  }

  /** Tells the marks up to so many letters: at the latest when it ends, which is when a reader looks where it was. */
  #tellMarks(index: number, letters: number): void {
    const { marks = [], tell } = this.#tellers[index] ?? {};
    for (const mark of marks) if (mark.letters <= letters) tell?.(index + 1, "mark", mark.name);
  }
}

/** Answers one client, line by line, and tells it of its words as far as it asked to be told. */
async function serve(socket: Socket, voice: Voice, client: number): Promise<void> {
  const reply = (...lines: readonly string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(""));
  const isTold = new Set<string>();
  const tell: Tell = (number, event, mark) => {
    const [code = "", ...words] = EVENTS[event].split(" ");
    const name = event === "mark" ? "index_marks" : event;
    if (socket.destroyed || !(isTold.has(name) || isTold.has("all"))) return;
    const facts = [number, client, ...(mark === undefined ? [] : [mark])];
    reply(...facts.map((fact) => `${code}-${fact}`), `${code} ${words.join(" ")}`);
  };
  let data: string[] | null = null;
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (data !== null) {
      if (line !== ".") data.push(line.startsWith("..") ? line.slice(1) : line);
      else {
        const ssml = data.join(" ");
        reply(`225-${voice.say(plainText(ssml), marksIn(ssml), tell)}`, "225 OK MESSAGE QUEUED");
        data = null;
      }
      continue;
    }
    const [command = "", first = "", second = "", third = "", fourth = ""] = line.split(" ");
    switch (command.toUpperCase()) {
      case "SPEAK":
        data = [];
        reply("230 OK RECEIVING DATA");
        break;
      case "CHAR":
      case "KEY":
      case "SOUND_ICON":
        reply(`225-${voice.say(first, [], tell)}`, "225 OK MESSAGE QUEUED");
        break;
      case "SET":
        if (second.toUpperCase() === "NOTIFICATION") {
          if (fourth.toLowerCase() === "on") isTold.add(third.toLowerCase());
          else isTold.delete(third.toLowerCase());
        }
        reply("208 OK");
        break;
      case "STOP":
      case "CANCEL":
        reply("210 OK STOPPED");
        voice.cancel();
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

/** The marks of SSML, with the letters before each. */
function marksIn(ssml: string): Mark[] {
  return [...ssml.matchAll(/<mark name="([^"]*)"\/>/g)].map((mark) => ({
    name: mark[1] ?? "",
    letters: plainText(ssml.slice(0, mark.index)).length,
  }));
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
