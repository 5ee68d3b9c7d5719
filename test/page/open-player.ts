import { openReview } from "../../panel/state/opened-review.ts";
import type { ReviewState } from "../../panel/state/review-state.ts";
import type { Result } from "../../src/result/result.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { jobEntry } from "../panel/session-in-memory.ts";
import type { MadeBrowser, MadeElement } from "./made-browser.ts";

/** What is used of the page's player; it is of a browser, whose types these tests do without. */
interface PlayerModule {
  readonly FilmPlayer: new (
    parts: object,
  ) => {
    readonly element: MadeElement;
    readonly time: number;
    seek(seconds: number): void;
    toggle(): void;
    show(review: ReviewState | null): void;
  };
}
const player: PlayerModule = await import(String(new URL("../../page/film-player.ts", import.meta.url)));

/** Three lines of two seconds each. */
export const CUES = [1, 5, 9].map((start) => ({ id: `c${start}`, start, end: start + 2, text: `At ${start}.` }));

/** The review of a result of these lines, with what differs. */
export const reviewOf = (change: Partial<Result> = {}) => openReview(placedResult(CUES, change), jobEntry());

/** A player whose film and sounds are here or with the service, as the test says. */
export function openPlayer(browser: MadeBrowser, here: readonly string[] = []) {
  const state = { isGone: false };
  const asked: string[] = [];
  const said: string[] = [];
  const read: string[] = [];
  const urgent: object[] = [];
  const announcer = {
    say(sentence: { readonly text: string; readonly isUrgent?: boolean }) {
      said.push(sentence.text);
      if (sentence.isUrgent === true) urgent.push(sentence);
    },
    read: (text: string) => void read.push(text),
    endReading: () => void read.push(""),
  };
  const files = { blobOf: async (path: string) => (here.includes(path) ? new Blob(["x"]) : null) };
  const desk = {
    media: async (id: string) => {
      asked.push(id);
      if (state.isGone) throw new Error("no film");
      return { signed_url: `https://s.example/${id}/${asked.length}` };
    },
  };
  const slow: ((status: string) => void)[] = [];
  const client = {
    getResults: async () => {
      const status = await new Promise<string>((answer) => slow.push(answer));
      if (status === "no line") throw new Error(status);
      return { status, audioUrl: "https://s.example/voice" };
    },
  };
  const one = new player.FilmPlayer({ files, desk, client, announcer });
  const [video, voice] = [
    browser.made.find(({ name }) => name === "video"),
    browser.made.find(({ name }) => name === "audio"),
  ];
  if (video === undefined || voice === undefined) throw new Error("no film");
  return { one, video, voice, asked, said, urgent, read, slow, state };
}
