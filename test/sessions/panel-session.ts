import { vi } from "vitest";
import type { JobEntry } from "../../panel/state/saved.ts";
import { type Cue, cueIdAt, readMarkerComment } from "../../src/core/cue.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { readServiceText, writeCues } from "../../src/formats/service-formats.ts";
import { NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import { type Result, soundingCues } from "../../src/result/result.ts";
import { SAMPLE_SEQUENCE_ID } from "../fakes/premiere/sample-project.ts";
import type { MarkerState } from "../fakes/premiere/state.ts";
import { SeededRandom } from "../fakes/seeded-random.ts";
import { sequenceOf } from "../panel/controllers/conform/recut.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../panel/open-panel.ts";
import { PROJECT_ID } from "./editor-steps.ts";
import { sampleOf, spokenWav, valuesIn } from "./spoken-words.ts";

/** What was seen in a session. */
export interface PanelSessionReport {
  readonly steps: readonly string[];
  /** Laws that did not hold; empty when all did. */
  readonly faults: readonly string[];
  /** How often a narration was placed and listened to, and how many words of the person were typed. */
  readonly listened: number;
  readonly typed: number;
}

/** Length of the sample's sequence, in seconds. */
const SECONDS = 6;
const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };

/** Words of the person at the keyboard, each with a number of its own. */
const OWN_WORDS = /kim\d+/g;

/**
 * Plays a session in the panel: a person describes, edits, mutes, places, voices, edits on the timeline, reads back, takes
 * back, closes and opens the panel, drawn from a seed. After every step the laws hold: no word that the person typed and has
 * not given up is lost; what is placed is what the review shows; what is heard is what the cues say; and the panel does not
 * call its own doing a change of the cut.
 */
export async function playPanelSession(seed: number, stepCount: number): Promise<PanelSessionReport> {
  const session = new PanelSession(seed, await panelOnDoubles());
  await session.begin();
  for (let step = 0; step < stepCount && session.faults.length === 0; step++) await session.step();
  const { steps, faults, listened, typed } = session;
  return { steps, faults, listened, typed: typed.size };
}

type Step = () => Promise<void> | void;

class PanelSession {
  readonly steps: string[] = [];
  readonly faults: string[] = [];
  readonly typed = new Set<string>();
  listened = 0;
  readonly #panel: PanelOnDoubles;
  readonly #random: SeededRandom;
  /** Words that the person has overwritten, deleted or decided against. */
  readonly #givenUp = new Set<string>();
  #run = 0;
  #runId = "";

  constructor(seed: number, panel: PanelOnDoubles) {
    this.#random = new SeededRandom(seed);
    this.#panel = panel;
    panel.server.speaks = (body) => this.#speak(body);
    panel.server.uploadStates = [];
    panel.server.jobStates = [];
  }

  async begin(): Promise<void> {
    await this.#panel.connect();
    await this.#describe();
  }

  readonly #panelSteps: Readonly<Record<string, Step>> = {
    "describe again": () => this.#describe(),
    "edit a cue": () => this.#editCue(),
    "edit another": () => this.#editCue(),
    "delete a cue": () => this.#inOpenCue((words) => this.#giveUp(words), "delete-cue"),
    "mute or unmute a cue": () => this.#inOpenCue(() => undefined, "mute-cue"),
    "undo an edit": () => this.#unless("undo-edit"),
    "redo an edit": () => this.#unless("redo-edit"),
    "place markers": () => this.#placeMarkers(),
    "place them": () => this.#placeMarkers(),
    "place narration": () => this.#placeNarration(),
    "place it": () => this.#placeNarration(),
    "voice what changed": () => this.#voice(),
    "read markers back": () => this.#readMarkers(),
    "take back": () => this.#takeBack(),
    "close and open": () => this.#reopen(),
  };

  readonly #editorSteps: Readonly<Record<string, Step>> = {
    reword: () => this.#changeMarker((_marker, id) => ({ comments: `${this.#newWords()}\nAD·${id}` })),
    "reword another": () => this.#changeMarker((_marker, id) => ({ comments: `${this.#newWords()}\nAD·${id}` })),
    move: () => this.#changeMarker(({ start }) => ({ start: start + sequenceOf(this.#panel).ticksPerFrame * 3n })),
    "delete a marker": () => {
      const marker = this.#random.oneOf(this.#markers());
      if (marker === undefined) return;
      this.#giveUp(marker.comments);
      this.#panel.premiere.user.deleteMarker(SAMPLE_SEQUENCE_ID, marker.guid);
    },
  };

  async step(): Promise<void> {
    const all = { ...this.#panelSteps, ...this.#editorSteps };
    const name = this.#random.oneOf(Object.keys(all)) ?? "edit a cue";
    this.steps.push(name);
    await all[name]?.();
    await this.#settled();
    this.#checkWords();
    const said = this.#panel.page().root.textContent;
    if (said.includes("unexpected")) this.#fault(`the panel says: ${said}`);
    if (this.#panel.page().find("open-conform") !== null) this.#fault("the panel takes its own doing for a re-cut");
  }

  /** What the service makes: of a script its words, else lines of its own; each is heard as the value of its words. */
  #speak(body: unknown): { vtt: string; wav: Uint8Array } {
    const script = Object(Object(body).generation_config).description_content;
    const cues =
      typeof script === "string"
        ? readServiceText(script, { format: "edl", grid: GRID, durationSeconds: SECONDS }).cues
        : this.#freshLines();
    return { vtt: writeCues(cues, "vtt", { language: "en-US" }), wav: spokenWav(cues, SECONDS) };
  }

  #freshLines(): Cue[] {
    const run = ++this.#run;
    const count = this.#random.whole(2, 4);
    return Array.from({ length: count }, (_, index) => {
      const start = 0.4 + (index * 5.2) / count;
      // Some lines come again as they were; numbers of a reply count its lines, so that an id may mean another line.
      const isSame = this.#random.next() < 0.3;
      const text = isSame ? `Line ${index} that stays.` : `Line ${index} of run ${run}.`;
      return { id: cueIdAt(index), start, end: start + 0.8, text };
    });
  }

  async #describe(): Promise<void> {
    await this.#settled();
    const { page } = this.#panel;
    const before = new Set(this.#results().map(({ runId }) => runId));
    page().click("tab-describe");
    await this.#panel.sees("Describe sequence");
    await this.#panel.order();
    const fresh = () => this.#results().find(({ runId }) => !before.has(runId));
    await until(() => fresh() !== undefined && page().view === "review");
    this.#runId = fresh()?.runId ?? "";
  }

  async #editCue(): Promise<void> {
    const cue = await this.#openCue();
    if (cue === null) return;
    this.#giveUp(cue.text);
    const words = this.#newWords();
    const { page } = this.#panel;
    const isLeft = this.#random.next() < 0.5;
    const field = page().byId("cue-text");
    field.value = words;
    field.happens("input");
    if (isLeft) field.happens("change");
    await until(() => this.#result().cues.some(({ text }) => text === words));
  }

  async #inOpenCue(before: (words: string) => void, button: string): Promise<void> {
    const cue = await this.#openCue();
    if (cue === null || this.#panel.page().find(button) === null) return;
    before(cue.text);
    this.#panel.page().click(button);
  }

  /** Opens a cue of the list for editing; `null` where there is none. */
  async #openCue(): Promise<Cue | null> {
    await this.#leaveMerge();
    const { page } = this.#panel;
    if (page().view !== "review") page().click("tab-review");
    await until(() => page().find("cues") !== null);
    const { cues } = this.#result();
    const index = this.#random.whole(0, cues.length - 1);
    const cue = cues[index];
    if (cue === undefined) return null;
    for (let click = 0; click < 3 && page().find("cue-text") === null; click++) {
      page().withAttribute("data-action", "edit-cue")[index]?.happens("click");
      await pause();
    }
    return page().find("cue-text")?.value === cue.text ? cue : null;
  }

  #unless(button: string): void {
    const node = this.#panel.page().find(button);
    if (node === null || node.disabled) return;
    // Taking an edit back, or making it again, is deciding against what stands there.
    for (const { text } of this.#result().cues) this.#giveUp(text);
    node.happens("click");
  }

  async #placeMarkers(): Promise<void> {
    const { page } = this.#panel;
    if (!(await this.#press("place-markers"))) return;
    await until(() => page().find("message") !== null || page().find("merge") !== null);
    let shown = "";
    for (let asked = 0; asked < 3 && page().find("merge") !== null; asked++) {
      for (const id of this.#disputed()) {
        const side = this.#random.next() < 0.7 ? "mine" : "theirs";
        page().find(`choice-${id}-${side}`)?.happens("change");
        await pause();
      }
      shown += page().byId("merge").textContent;
      page().click("merge-place");
      await until(() => page().find("merge") === null || page().root.textContent.includes("Look again"));
      await pause();
    }
    await this.#idle();
    // What was shown was decided on.
    const kept = new Set(this.#markers().flatMap(({ comments }) => comments.match(OWN_WORDS) ?? []));
    for (const word of shown.match(OWN_WORDS) ?? []) if (!kept.has(word)) this.#givenUp.add(word);
    const placed = this.#markers().map(({ comments }) => readMarkerComment(comments)?.text ?? comments);
    const wanted = soundingCues(this.#result()).map(({ text }) => text);
    if (JSON.stringify(placed.sort()) !== JSON.stringify([...wanted].sort())) {
      this.#fault(`placed is not what the review shows: ${JSON.stringify({ placed, wanted })}`);
    }
  }

  #disputed(): string[] {
    const ids = [...this.#panel.page().root.all()].map(
      (node) => /^choice-(.+)-mine$/.exec(node.attributes["id"] ?? "")?.[1],
    );
    return ids.flatMap((id) => id ?? []);
  }

  async #placeNarration(): Promise<void> {
    if (!(await this.#press("place-narration"))) return;
    await this.#idle();
    this.#listen();
  }

  /** What is heard on the narration track, against what the cues say. */
  #listen(): void {
    const sequence = sequenceOf(this.#panel);
    const { items } = this.#panel.premiere.machine.project(PROJECT_ID);
    const track = sequence.audioTracks.find(({ name }) => name === NARRATION_TRACK_NAME);
    const cues = soundingCues(this.#result());
    const said = new Map(cues.map((cue) => [sampleOf(cue.text), cue]));
    this.listened += 1;
    for (const clip of track?.items ?? []) {
      const item = items.get(clip.itemId);
      const bytes = item?.kind === "clip" ? this.#panel.disk.files.get(item.mediaPath) : undefined;
      if (bytes === undefined) {
        this.#fault(`a clip whose sound is gone: ${clip.name}`);
        continue;
      }
      const seconds = (ticks: bigint) => Number(ticks) / 254_016_000_000;
      const from = seconds(clip.inPoint);
      for (const value of valuesIn(bytes, from, from + seconds(clip.end - clip.start))) {
        if (!said.has(value)) this.#fault(`heard, and no cue says it: ${clip.name}`);
      }
    }
  }

  async #voice(): Promise<void> {
    const { page } = this.#panel;
    if (page().view !== "review" || page().find("voice-changed") === null) return;
    if (!(await this.#press("voice-changed"))) return;
    await until(() => page().view === "review" && page().find("message") !== null);
    await this.#idle();
    // Where it was placed, the new narration takes its place by itself.
    if (this.#job().placedNarration !== true) return;
    await until(() => /Place narration|already/.test(page().find("message")?.textContent ?? ""));
    await this.#idle();
    this.#listen();
  }

  async #readMarkers(): Promise<void> {
    if (!(await this.#press("read-markers"))) return;
    await this.#idle();
  }

  async #takeBack(): Promise<void> {
    if (this.#panel.page().find("take-back") === null) return;
    if (!(await this.#press("take-back"))) return;
    await this.#idle();
  }

  async #reopen(): Promise<void> {
    await this.#settled();
    const { page } = this.#panel;
    this.#panel.open();
    await this.#panel.sees(/Describe sequence|Place on timeline/);
    page().click("tab-history");
    await until(() => page().withAttribute("data-action", "open").length > 0);
    // A job that voiced has no result of its own.
    const { runId = "" } = this.#random.oneOf(this.#results()) ?? {};
    page().click(`open-${runId}`);
    await until(() => page().view === "review");
    this.#runId = runId;
  }

  /** Presses a button of the review; `false` where it is not to be pressed. */
  async #press(id: string): Promise<boolean> {
    await this.#leaveMerge();
    const { page } = this.#panel;
    if (page().view !== "review") page().click("tab-review");
    await until(() => page().find("cues") !== null);
    page().find("dismiss")?.happens("click");
    await until(() => page().find("message") === null);
    const node = page().find(id) ?? this.#panel.menu().find(id);
    if (node === null || node.disabled) return false;
    node.happens("click");
    return true;
  }

  async #leaveMerge(): Promise<void> {
    const { page } = this.#panel;
    page().find("merge-cancel")?.happens("click");
    await until(() => page().find("merge") === null);
  }

  /** Waits until something was said and nothing is being placed. */
  async #idle(): Promise<void> {
    const { page } = this.#panel;
    await until(() => page().find("message") !== null && page().find("stop-placing") === null);
    await this.#settled();
  }

  /** Waits until what was edited is saved. */
  async #settled(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await pause();
    let last = "";
    await until(() => {
      const now = JSON.stringify(this.#results());
      const isSame = now === last;
      last = now;
      return isSame;
    });
  }

  #changeMarker(change: (marker: MarkerState, cueId: string) => Partial<Omit<MarkerState, "guid">>): void {
    const marker = this.#random.oneOf(this.#markers());
    const cueId = marker === undefined ? undefined : readMarkerComment(marker.comments)?.cueId;
    if (marker === undefined || cueId === undefined) return;
    const fields = change(marker, cueId);
    if (fields.comments !== undefined) this.#giveUp(marker.comments);
    this.#panel.premiere.user.changeMarker(SAMPLE_SEQUENCE_ID, marker.guid, fields);
  }

  #markers(): MarkerState[] {
    return sequenceOf(this.#panel).markers.filter(({ comments }) => readMarkerComment(comments) !== null);
  }

  #newWords(): string {
    const word = `kim${this.typed.size + 1}`;
    this.typed.add(word);
    return `The words of ${word}.`;
  }

  #giveUp(text: string): void {
    for (const word of text.match(OWN_WORDS) ?? []) this.#givenUp.add(word);
  }

  /** The kept results. */
  #results(): Result[] {
    const kept = [...this.#panel.disk.files].filter(([path]) => path.endsWith(".result.json"));
    return kept.map(([, bytes]) => JSON.parse(Buffer.from(bytes).toString("utf8")).value);
  }

  #job(): JobEntry {
    const [, bytes] = [...this.#panel.disk.files].find(([path]) => path.endsWith(`/${this.#runId}.job.json`)) ?? [];
    return JSON.parse(Buffer.from(bytes ?? []).toString("utf8")).value;
  }

  #result(): Result {
    const found = this.#results().find(({ runId }) => runId === this.#runId);
    if (found === undefined) throw new Error(`no result ${this.#runId}`);
    return found;
  }

  /** Every word of the person that was not given up is on the timeline or in a result. */
  #checkWords(): void {
    const texts = [
      ...this.#markers().map(({ comments }) => comments),
      ...this.#results().flatMap(({ cues }) => cues.map(({ text }) => text)),
    ].join(" ");
    const there = new Set(texts.match(OWN_WORDS) ?? []);
    const lost = [...this.typed].filter((word) => !there.has(word) && !this.#givenUp.has(word));
    if (lost.length > 0) this.#fault(`lost: ${lost.join(", ")}`);
  }

  #fault(what: string): void {
    this.faults.push(what);
  }
}

async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!holds()) throw new Error("not yet");
    },
    { timeout: 20_000, interval: 2 },
  );
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 4));
}
