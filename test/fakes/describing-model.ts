import { type AskedOfModel, completionOf, type ModelReply, startModelServer } from "./model-server.ts";

/** What the shape that is asked for is called, one for each stage of describing. */
type StageName = "log" | "bible" | "lines" | "verdicts" | "wordings" | "changes";

/** A question as a model gets it. */
export interface StageAsked {
  readonly stage: StageName;
  readonly system: string;
  /** All words of the first message, one part below the other, pictures as `<jpeg>`. */
  readonly prompt: string;
  /** The pictures, with the words above each. */
  readonly pictures: readonly { readonly file: string; readonly at: number; readonly label: string }[];
  /** What was asked back, in order. */
  readonly askedBack: readonly string[];
  /** How many questions of this stage came before, asking back not counted. */
  readonly index: number;
  readonly headers: AskedOfModel["headers"];
  // A double looks at requests, whose types are what is tested.
  readonly body: AskedOfModel["body"];
}

/** What a stage is answered: JSON, words as they are, or a whole reply. */
export type StageAnswer = object | string | { readonly reply: ModelReply };

/** Answers by stage; without one, each stage is answered as a good model does. */
export type StageRules = { readonly [Stage in StageName]?: (asked: StageAsked) => StageAnswer | undefined };

/** Something that a film shows, as the double sees it in the picture of that time. */
export interface Shown {
  readonly at: number;
  readonly until?: number;
  readonly what: string;
  readonly who?: readonly string[];
  readonly kind?: string;
  readonly importance?: number;
  readonly confidence?: number;
}

/** A model that describes films, on a loopback port. */
export interface DescribingModel {
  readonly url: string;
  /** All questions, asked back ones too, in order. */
  readonly asked: readonly StageAsked[];
  of(stage: StageName): StageAsked[];
  mostAtOnce(): number;
  /** How often it was asked for the colour of small pictures. */
  probes(): number;
}

/**
 * Starts a model that answers by the shape that is asked for: it logs what the film shows in the pictures it is given,
 * writes a line for each event that there is room for, and finds all of them right.
 */
export async function startDescribingModel(
  shown: readonly Shown[],
  rules: StageRules = {},
  usage = { prompt_tokens: 9000, completion_tokens: 20 },
): Promise<DescribingModel> {
  const asked: StageAsked[] = [];
  const counts = new Map<StageName, number>();
  let probes = 0;
  const server = await startModelServer((request) => {
    if (!request.path.endsWith("/chat/completions")) return undefined;
    const question = readQuestion(request, counts);
    if (question === null) {
      probes++;
      return completionOf('{"colour": "yellow"}', usage);
    }
    asked.push(question);
    const answer = rules[question.stage]?.(question) ?? goodAnswer(question, shown);
    if ("reply" in Object(answer)) return (answer as { reply: ModelReply }).reply;
    return completionOf(typeof answer === "string" ? answer : JSON.stringify(answer), usage);
  });
  return {
    url: `${server.origin}/v1`,
    asked,
    of: (stage) => asked.filter((question) => question.stage === stage),
    mostAtOnce: server.mostAtOnce,
    probes: () => probes,
  };
}

/** First bytes of the pictures of test films; the file's name follows. */
export const PICTURE_HEAD = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);

interface ChatPart {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

function partsOf(content: string | readonly ChatPart[]): readonly ChatPart[] {
  return typeof content === "string" ? [{ text: content }] : content;
}

/** `null` for a request that only finds out whether pictures arrive. */
function readQuestion({ body, headers }: AskedOfModel, counts: Map<StageName, number>): StageAsked | null {
  const messages: { role: string; content: string | ChatPart[] }[] = body.messages;
  const system = messages.find(({ role }) => role === "system")?.content ?? "";
  if (String(system).includes("colours of pictures")) return null;
  const users = messages.filter(({ role }) => role === "user").map(({ content }) => partsOf(content));
  const [first = [], ...later] = users;
  const wordsOf = (parts: readonly ChatPart[]) => parts.map(({ text }) => text ?? "<jpeg>").join("\n");
  const stage: StageName = body.response_format?.json_schema?.name;
  const index = counts.get(stage) ?? 0;
  if (later.length === 0) counts.set(stage, index + 1);
  return {
    stage,
    system: String(system),
    prompt: wordsOf(first),
    pictures: first.flatMap(({ image_url: image }, at) => {
      if (image === undefined) return [];
      const label = first[at - 1]?.text ?? "";
      const bytes = Buffer.from(image.url.slice(image.url.indexOf(",") + 1), "base64");
      return [
        {
          file: bytes.subarray(PICTURE_HEAD.length).toString(),
          at: Number(/, ([\d.]+) s:$/.exec(label)?.[1]),
          label,
        },
      ];
    }),
    askedBack: later.map(wordsOf),
    index: later.length === 0 ? index : index - 1,
    headers,
    body,
  };
}

/** What a good model answers. */
export function goodAnswer(asked: StageAsked, shown: readonly Shown[]): object {
  switch (asked.stage) {
    case "log":
      return { place: "", people: [], events: seenIn(asked, shown) };
    case "bible":
      return { story: "", category: "", persons: [], places: [], things: [] };
    case "lines":
      return { lines: linesFor(beatsIn(asked.prompt)) };
    case "verdicts":
      return { lines: linesIn(asked.prompt).map(({ line }) => ({ line, verdict: "right", why: "", mended: "" })) };
    case "wordings":
      return { wordings: [] };
    case "changes":
      return { changes: [] };
  }
}

function seenIn({ pictures }: StageAsked, shown: readonly Shown[]): object[] {
  return shown
    .filter(({ at }) => pictures.some((picture) => Math.abs(picture.at - at) < 0.06))
    .map(({ at, until = at, what, who = [], kind = "action", importance = 0.8, confidence = 0.9 }) => {
      return { at, until, what, who, kind, importance, confidence };
    });
}

/** A beat as the writer of a scene is told it. */
export interface ToldBeat {
  readonly start: number;
  readonly end: number;
  /** 0 for no room. */
  readonly words: number;
  readonly events: readonly { readonly number: number; readonly start: number; readonly what: string }[];
}

/** The beats of a scene's prompt. */
export function beatsIn(prompt: string): ToldBeat[] {
  const beats: (ToldBeat & { events: ToldBeat["events"][number][] })[] = [];
  for (const line of prompt.split("\n")) {
    const head = /^ {2}Beat \d+, ([\d.]+) s to ([\d.]+) s, (?:at most (\d+) (?:words|characters)|no room):$/.exec(line);
    if (head !== null) {
      beats.push({ start: Number(head[1]), end: Number(head[2]), words: Number(head[3] ?? 0), events: [] });
      continue;
    }
    const event = /^ {2}Event (\d+), ([\d.]+) s to [\d.]+ s, .*?sure [\d.]+: (.*?)(?: \([^()]*\))?$/.exec(line);
    if (event !== null)
      beats.at(-1)?.events.push({ number: Number(event[1]), start: Number(event[2]), what: event[3] ?? "" });
  }
  return beats;
}

function linesFor(beats: readonly ToldBeat[]): object[] {
  return beats.flatMap(({ words, events }) => {
    let left = words;
    return events.flatMap(({ number, what }) => {
      const length = what.split(" ").length;
      if (length > left) return [];
      left -= length;
      return [{ events: [number], text: what, importance: 0.8, confidence: 0.9 }];
    });
  });
}

/** The numbered lines of a prompt, with their words. */
export function linesIn(prompt: string): { readonly line: number; readonly text: string; readonly head: string }[] {
  return [...prompt.matchAll(/^ {2}(Line (\d+)[^:]*): (.*)$/gm)].map(([, head = "", line, text = ""]) => {
    return { head, line: Number(line), text };
  });
}
