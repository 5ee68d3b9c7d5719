import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openReview } from "../../panel/state/opened-review.ts";
import type { ReviewState } from "../../panel/state/review-state.ts";
import type { Result } from "../../src/result/result.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { SetClock, turns } from "../fakes/set-clock.ts";
import { HeldPorts } from "../panel/held-ports.ts";
import { jobEntry } from "../panel/session-in-memory.ts";
import { pageActions, press, textOf } from "./page-actions.ts";

/** What is used of the page's parts; they are of a browser, whose types these tests do without. */
interface PlayerModule {
  readonly FilmPlayer: new (
    parts: object,
  ) => {
    readonly element: Made;
    readonly time: number;
    seek(seconds: number): void;
    toggle(): void;
    show(review: ReviewState | null): void;
  };
}
interface PickModule {
  pickFile(accept: string): Promise<object | null>;
  pickFileOf(files: object, types: readonly string[]): Promise<{ readonly name: string; readonly path: string } | null>;
  pickFilesOf(files: object, types: readonly string[]): Promise<{ readonly name: string; readonly path: string }[]>;
  saveAddress(address: string, name?: string): void;
  saveBlob(blob: Blob, name: string): void;
  saveFolder(files: object, folder: string): Promise<void>;
  readonly BlobPlayer: new (files: object) => { play(path: string): Promise<void>; stop(): void };
}
interface PartModule {
  readonly FilmPart: new (editor: object, actions: object) => { draw(state: object): Parameters<typeof textOf>[0] };
}

/** An element as a browser makes it: what is set is kept, and what happens to it is told to who listens. */
class Made {
  readonly name: string;
  id?: unknown;
  className?: unknown;
  src?: unknown;
  kind?: unknown;
  srclang?: unknown;
  default?: unknown;
  accept?: unknown;
  multiple?: unknown;
  files?: unknown;
  download?: unknown;
  href?: unknown;
  readonly children: Made[] = [];
  readonly listeners: Record<string, ((event: object) => void)[]> = {};
  readonly done: string[] = [];
  readonly style = {};
  currentTime = 0;
  paused = true;
  hidden = false;
  ended = false;
  value = "voice";
  textContent = "";
  parent: Made | null = null;
  constructor(name: string) {
    this.name = name;
  }
  setAttribute(name: string, value: string): void {
    Object.assign(this, { [name]: value });
  }
  removeAttribute(name: string): void {
    Object.assign(this, { [name]: undefined });
  }
  append(...made: readonly Made[]): void {
    for (const one of made) {
      one.parent = this;
      this.children.push(one);
    }
  }
  add(option: Made): void {
    this.append(option);
  }
  remove(): void {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1);
    this.done.push("removed");
  }
  addEventListener(name: string, listener: (event: object) => void): void {
    this.listeners[name] = [...(this.listeners[name] ?? []), listener];
  }
  happens(name: string, event: object = {}): void {
    for (const listener of this.listeners[name] ?? []) listener(event);
  }
  click(): void {
    this.done.push("clicked");
  }
  async play(): Promise<void> {
    this.done.push("played");
    this.paused = false;
    this.happens("play");
  }
  pause(): void {
    const was = this.paused;
    this.paused = true;
    if (!was) this.happens("pause");
  }
}

let made: Made[];
let addresses: string[];
/** What stands at an address that was made. */
let blobs: Map<string, Blob>;
let revoked: string[];
let clock: SetClock;
let ticking: (() => void)[];
const makeOf = (name: string) => {
  const one = new Made(name);
  made.push(one);
  return one;
};
const body = () => documentOf.body;
let documentOf: { body: Made; listeners: Made };

class MadeAudio extends Made {
  constructor(address = "") {
    super("audio");
    this.src = address;
    made.push(this);
  }
}
class MadeOption extends Made {
  constructor(text: string, value: string) {
    super("option");
    this.textContent = text;
    this.value = value;
  }
}
/** A mixer that does not run. */
class SilentContext {
  readonly resume = () => Promise.reject(new Error("no sound"));
}

beforeEach(() => {
  [made, addresses, revoked, ticking] = [[], [], [], []];
  clock = new SetClock();
  documentOf = { body: new Made("body"), listeners: new Made("document") };
  vi.stubGlobal("document", {
    body: documentOf.body,
    createElement: makeOf,
    addEventListener: (name: string, listener: (event: object) => void) =>
      documentOf.listeners.addEventListener(name, listener),
  });
  vi.stubGlobal("Audio", MadeAudio);
  vi.stubGlobal("Option", MadeOption);
  vi.stubGlobal("AudioContext", SilentContext);
  blobs = new Map();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    const address = `blob:${addresses.push("")}`;
    blobs.set(address, blob as Blob);
    return address;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((address) => void revoked.push(address));
  vi.spyOn(Date, "now").mockImplementation(() => clock.now());
  vi.stubGlobal("setInterval", (run: () => void) => ticking.push(run));
  vi.stubGlobal("setTimeout", (run: () => void, milliseconds: number) => void clock.sleep(milliseconds).then(run));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const player: PlayerModule = await import(String(new URL("../../page/film-player.ts", import.meta.url)));
const pick: PickModule = await import(String(new URL("../../page/pick-file.ts", import.meta.url)));
const { FilmPart }: PartModule = await import(String(new URL("../../page/film-part.ts", import.meta.url)));

describe("the film under review", () => {
  const CUES = [1, 5, 9].map((start) => ({ id: `c${start}`, start, end: start + 2, text: `At ${start}.` }));
  const reviewOf = (change: Partial<Result> = {}) => openReview(placedResult(CUES, change), jobEntry());

  /** A player whose film and sounds are here or with the service, as the test says. */
  function playerOf(here: readonly string[] = []) {
    const asked: string[] = [];
    const said: string[] = [];
    const read: string[] = [];
    const announcer = {
      say: ({ text }: { readonly text: string }) => void said.push(text),
      read: (text: string) => void read.push(text),
      endReading: () => void read.push(""),
    };
    const files = { blobOf: async (path: string) => (here.includes(path) ? new Blob(["x"]) : null) };
    const desk = {
      media: async (id: string) => {
        asked.push(id);
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
    const [video, voice] = [made.find(({ name }) => name === "video"), made.find(({ name }) => name === "audio")];
    if (video === undefined || voice === undefined) throw new Error("no film");
    return { one, video, voice, asked, said, read, slow };
  }
  const tracksOf = (video: Made) => video.children.filter(({ name }) => name === "track").map(({ kind }) => kind);

  test("has its descriptions and what is said as tracks, those of now alone, and lets go of the others", async () => {
    const { one, video } = playerOf();
    const dialogue = [{ start: 3, end: 4, text: "Hello." }];
    one.show(reviewOf({ dialogue }));
    expect(tracksOf(video)).toEqual(["descriptions", "captions"]);
    expect(revoked).toEqual([]);
    const first = video.children.map(({ src }) => src);
    one.show(reviewOf({ dialogue, cues: CUES.slice(1) }));
    expect(tracksOf(video)).toEqual(["descriptions", "captions"]);
    expect(revoked).toEqual(first);
    one.show(reviewOf({ cues: CUES }));
    expect(tracksOf(video)).toEqual(["descriptions"]);
    expect(revoked).toHaveLength(4);
    for (const track of video.children)
      expect([track.default, track.srclang, String(track.src).startsWith("blob:")]).toEqual([true, "en-US", true]);
    expect(one.element.hidden).toBe(false);
    one.show(null);
    expect(one.element.hidden).toBe(true);
  });

  test("has every line of its descriptions in one track, and every line that is said in the other", async () => {
    const { one, video } = playerOf();
    const dialogue = [3, 13, 23].map((start) => ({ start, end: start + 1, text: `Said at ${start}.` }));
    one.show(reviewOf({ dialogue }));
    const texts = await Promise.all(video.children.map(({ src }) => blobs.get(String(src))?.text()));
    expect(texts.map((text) => text?.match(/(?:At|Said at) \d+\./g))).toEqual([
      CUES.map(({ text }) => text),
      dialogue.map(({ text }) => text),
    ]);
  });

  test("comes from this browser where it is here, else from an address that is asked for anew when it has ended", async () => {
    const near = playerOf(["films/s1"]);
    near.one.show(reviewOf());
    await turns();
    expect([near.asked, String(near.video.src).startsWith("blob:")]).toEqual([[], true]);
    made = [];
    const { one, video, asked, said } = playerOf();
    one.show(reviewOf());
    await turns();
    expect([asked, video.src]).toEqual([["s1"], "https://s.example/s1/1"]);
    video.currentTime = 42;
    // An address that was just given is good: the film is not.
    await clock.pass(59_000);
    video.happens("error");
    await turns();
    expect([asked.length, said.filter((text) => text !== "").length]).toEqual([1, 1]);
    await clock.pass(2000);
    video.currentTime = 42;
    video.paused = false;
    video.happens("error");
    await turns();
    expect([asked.length, video.src, video.currentTime]).toEqual([2, "https://s.example/s1/2", 42]);
    // It counts from then on.
    await clock.pass(59_000);
    video.happens("error");
    await turns();
    expect(asked).toHaveLength(2);
  });

  test("shows the line that stands now, and has it read aloud while it plays where somebody wants that", async () => {
    const { one, video, read } = playerOf();
    one.show(reviewOf());
    const line = made.find(({ className }) => className === "spoken");
    for (const [time, text] of [
      [0.5, ""],
      [1.5, "At 1."],
      [3.5, ""],
      [9.9, "At 9."],
      [11.5, ""],
    ] as const) {
      // biome-ignore format: pairs
      video.currentTime = time;
      for (const tick of ticking) tick();
      video.happens("seeking");
      expect(line?.textContent).toBe(text);
    }
    expect(read).toEqual([]);
    const hearing = made.find(({ id }) => id === "hearing");
    if (hearing !== undefined) hearing.value = "reader";
    video.paused = false;
    for (const time of [1.5, 3.5, 5.5]) {
      video.currentTime = time;
      for (const tick of ticking) tick();
    }
    expect(read).toEqual(["At 1.", "", "At 5."]);
    expect(one.time).toBe(5.5);
    one.seek(2);
    expect(video.currentTime).toBe(2);
    one.seek(2.005);
    expect(video.currentTime).toBe(2);
  });

  test("has its descriptions heard as sound, by the reader's own screen reader, or not at all: each can be chosen", () => {
    playerOf();
    const choices = made.find(({ id }) => id === "hearing")?.children ?? [];
    expect(choices.map(({ value }) => value)).toEqual(["voice", "reader", "off"]);
    expect(new Set(choices.map(({ textContent }) => textContent)).size).toBe(3);
  });

  describe("with a voice", () => {
    const audioOf = (path: string) => ({ path, start: 0, durationSeconds: 60 });

    test.each(["done", "processing", "no line"])(
      "has that of the result as it is now, though the one before comes later (%s); without one, none",
      async (late) => {
        const { one, voice, slow, said } = playerOf(["here.wav"]);
        one.show(reviewOf({ audio: audioOf("at the service.wav") }));
        await turns();
        expect(slow).toHaveLength(1);
        // It is voiced anew meanwhile.
        one.show(reviewOf({ audio: audioOf("here.wav") }));
        await turns();
        const here = voice.src;
        expect(String(here)).toMatch(/^blob:/);
        slow[0]?.(late);
        await turns();
        expect([voice.src, said.filter((text) => text !== "")]).toEqual([here, []]);
        one.show(reviewOf());
        await turns();
        expect(voice.src).toBeUndefined();
        one.show(reviewOf({ audio: audioOf("at the service.wav") }));
        await turns();
        slow[1]?.("done");
        await turns();
        expect([voice.src, said.filter((text) => text !== "")]).toEqual(["https://s.example/voice", []]);
      },
    );

    test.each(["processing", "no line"])(
      "that is gone (%s) is told, and the film is shown all the same",
      async (status) => {
        const { one, voice, video, slow, said } = playerOf();
        one.show(reviewOf({ audio: audioOf("gone.wav") }));
        await turns();
        slow[0]?.(status);
        await turns();
        expect([voice.src, video.src, said.filter((text) => text !== "").length]).toEqual([
          undefined,
          "https://s.example/s1/1",
          1,
        ]);
      },
    );
  });
});

describe("files of the person", () => {
  const fieldOf = () => made.find(({ name }) => name === "input");

  test("are picked by their endings, all of them, and read where they are; whoever picks none gets none", async () => {
    const films = new Map<string, unknown>();
    const files = { addFilm: (path: string, file: unknown) => void films.set(path, file) };
    const picked = pick.pickFileOf(files, ["srt", "vtt", "txt"]);
    const field = fieldOf();
    expect([field?.accept, field?.done]).toEqual([".srt,.vtt,.txt", ["clicked"]]);
    const file = { name: "a.srt" };
    if (field !== undefined) field.files = [file];
    field?.happens("change");
    expect([await picked, films.get("films/a.srt")]).toEqual([{ name: "a.srt", path: "films/a.srt" }, file]);
    made = [];
    const none = pick.pickFileOf(files, ["srt"]);
    fieldOf()?.happens("cancel");
    expect([await none, films.size]).toEqual([null, 1]);
  });

  test("are picked as many as somebody likes where several are asked for, and only there", async () => {
    const films = new Map<string, unknown>();
    const files = { addFilm: (path: string, file: unknown) => void films.set(path, file) };
    void pick.pickFileOf(files, ["srt"]);
    expect(fieldOf()?.multiple).toBe(false);
    made = [];
    const several = pick.pickFilesOf(files, ["onnx", "zip"]);
    const field = fieldOf();
    expect([field?.accept, field?.multiple]).toEqual([".onnx,.zip", true]);
    if (field !== undefined) field.files = [{ name: "a.onnx" }, { name: "b.zip" }];
    field?.happens("change");
    expect(await several).toEqual(["a.onnx", "b.zip"].map((name) => ({ name, path: `films/${name}` })));
    expect([...films.keys()]).toEqual(["films/a.onnx", "films/b.zip"]);
    made = [];
    const none = pick.pickFilesOf(files, ["zip"]);
    fieldOf()?.happens("cancel");
    expect(await none).toEqual([]);
  });

  test("are saved under their name by a link that goes again, and let go of when the browser has read them for sure", async () => {
    pick.saveBlob(new Blob(["x"]), "words.srt");
    const [link] = made;
    expect([link?.download, link?.done, body().children]).toEqual(["words.srt", ["clicked", "removed"], []]);
    await clock.pass(59_999);
    expect(revoked).toEqual([]);
    await clock.pass(1);
    expect(revoked).toEqual([link?.href]);
  });

  test("of a folder are saved each, all by the time that it is said, but for one that is gone", async () => {
    const ports = new HeldPorts();
    const files = ports.wrap({
      list: async () => ["a.srt", "gone.wav", "b.vtt"],
      blobOf: async (path: string) => (path.includes("gone") ? null : new Blob([path])),
    });
    expect(await ports.settlesLast(() => pick.saveFolder(files, "to-save"))).toBeNull();
    expect(made.map(({ download, done }) => [download, done])).toEqual(
      ["a.srt", "b.vtt"].map((name) => [name, ["clicked", "removed"]]),
    );
    const texts = await Promise.all(made.map(({ href }) => blobs.get(String(href))?.text()));
    expect(texts).toEqual(["to-save/a.srt", "to-save/b.vtt"]);
  });

  test("are played one at a time: the next ends the one before, and every end lets go of the sound", async () => {
    const files = { blobOf: async (path: string) => (path === "gone" ? null : new Blob([path])) };
    const sounds = new pick.BlobPlayer(files);
    const ended: string[] = [];
    const play = (path: string) => sounds.play(path).then(() => void ended.push(path), ({ code }) => void ended.push(`${path} ${code}`)); // biome-ignore format: one line
    void play("a");
    await turns();
    void play("b");
    await turns();
    const [first, second] = made.filter(({ name }) => name === "audio");
    expect([ended, first?.paused, second?.paused, revoked.length]).toEqual([["a"], true, false, 1]);
    second?.happens("ended");
    await turns();
    await play("gone");
    void play("c");
    await turns();
    made
      .filter(({ name }) => name === "audio")
      .at(-1)
      ?.happens("error");
    await turns();
    void play("d");
    await turns();
    sounds.stop();
    await turns();
    expect(ended).toEqual(["a", "b", "gone host_failed", "c host_failed", "d"]);
    expect(revoked).toHaveLength(addresses.length);
  });
});

describe("a sound that is still being read", () => {
  /** A player whose sounds come as the test lets them, and what was played to its end. */
  function slowPlayer() {
    const reads: (() => void)[] = [];
    const blobOf = async (path: string) => {
      await new Promise<void>((read) => reads.push(read));
      return new Blob([path]);
    };
    const sounds = new pick.BlobPlayer({ blobOf });
    const ended: string[] = [];
    const play = (path: string) => void sounds.play(path).then(() => ended.push(path));
    return { reads, sounds, ended, play };
  }
  const heard = () => made.filter(({ name, paused }) => name === "audio" && !paused).length;

  test.each([[[0, 1]], [[1, 0]]])("gives way to the next: one alone is heard, read in the order %j", async (order) => {
    const { reads, sounds, ended, play } = slowPlayer();
    for (const path of ["a", "b"]) play(path);
    for (const index of order) {
      reads[index]?.();
      await turns();
    }
    expect([heard(), ended]).toEqual([1, ["a"]]);
    sounds.stop();
    await turns();
    expect([heard(), ended, revoked.length]).toEqual([0, ["a", "b"], addresses.length]);
  });

  test("is not heard once it was stopped", async () => {
    const { reads, sounds, ended, play } = slowPlayer();
    play("a");
    sounds.stop();
    reads[0]?.();
    await turns();
    expect([heard(), ended, addresses]).toEqual([0, ["a"], []]);
  });
});

describe("choosing the film of the page", () => {
  /** The part where a film is chosen, with an editor that takes as long as the test says. */
  function partOf() {
    const page = pageActions();
    const going = Promise.withResolvers<void>();
    const chosen: { signal?: AbortSignal; tell?: (fraction: number) => void } = {};
    const editor = {
      choose: async (_: object, signal: AbortSignal, tell: (fraction: number) => void) => {
        Object.assign(chosen, { signal, tell });
        signal.addEventListener("abort", () => going.reject(signal.reason));
        await going.promise;
      },
    };
    const part = new FilmPart(editor, page.actions);
    const drop = (name: string) =>
      documentOf.listeners.happens("drop", { preventDefault: () => undefined, dataTransfer: { files: [{ name }] } });
    const draw = () => part.draw(page.session.state);
    return { ...page, chosen, going, drop, draw };
  }
  const SEQUENCE = { ...jobEntry().sequence, name: "harbour" };

  test("it is sent as it is dropped: how far it is is shown and said at quarters, and it is said when it is there", async () => {
    const { session, said, did, chosen, going, drop, draw, ports } = partOf();
    drop("harbour.mp4");
    await ports.letGo();
    expect(did.map((one) => one.split(" ")[0])).toEqual(["panelController.go"]);
    const told = said.length;
    for (const share of [0.1, 0.2, 0.3, 0.31, 0.55, 0.8, 0.99]) chosen.tell?.(share);
    expect([said.length - told, textOf(draw())]).toEqual([3, expect.stringMatching(/harbour\.mp4.*99/)]);
    // All of it is there: it is looked at.
    chosen.tell?.(1);
    expect([said.length - told, textOf(draw())]).toEqual([4, expect.stringMatching(/harbour\.mp4(?!.*\d %)/)]);
    // One at a time.
    drop("other.mp4");
    await ports.letGo();
    expect(did).toHaveLength(1);
    session.store.set({ sequence: SEQUENCE });
    going.resolve();
    await ports.letGo();
    expect(did.map((one) => one.split(" ")[0])).toEqual([
      "panelController.go",
      "formController.chooseSoundTrack",
      "panelController.readSequence",
    ]);
    expect([said.at(-1), textOf(draw()).includes("harbour.mp4")]).toEqual([expect.stringContaining("harbour"), false]);
    drop("next.mp4");
    await ports.letGo();
    expect(did).toHaveLength(6);
  });

  test("what is said of it is what the page reads of it, not of the film before", async () => {
    const { session, said, going, drop, ports } = partOf();
    session.store.set({ sequence: { ...SEQUENCE, name: "the film before" } });
    drop("harbour.mp4");
    await ports.letGo();
    going.resolve();
    await turns();
    const told = said.length;
    session.store.set({ sequence: SEQUENCE });
    await ports.letGo();
    expect([said.slice(told), said.join()]).toEqual([
      [expect.stringContaining("harbour")],
      expect.not.stringContaining("the film before"),
    ]);
  });

  test.each([
    ["cancelled", (part: ReturnType<typeof partOf>) => press(part.draw(), "cancel-film"), false],
    ["refused", (part: ReturnType<typeof partOf>) => part.going.reject(new Error("No film.")), true],
  ])("it can be chosen again where it was %s, which is told", async (_, end, isFault) => {
    const part = partOf();
    part.drop("harbour.mp4");
    await part.ports.letGo();
    end(part);
    await part.ports.letGo();
    expect([part.chosen.signal?.aborted, part.session.state.message?.isFault === true]).toEqual([!isFault, isFault]);
    expect(part.did.at(-1)).toMatch(/readSequence/);
    expect(textOf(part.draw())).not.toContain("harbour.mp4");
    if (!isFault) expect(part.said.at(-1)).not.toContain("harbour");
  });
});
