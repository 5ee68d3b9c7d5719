import type { Cue } from "../../src/core/cue.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { PremiereHost } from "../../src/host/premiere/premiere-host.ts";
import { writeRecord } from "../../src/result/record.ts";
import type { PlacedResult } from "../../src/result/result.ts";
import {
  chooseRecord,
  mergeIntoSequence,
  recordAfterMerge,
  type SequenceMerge,
} from "../../src/workflow/place/round-trip.ts";
import { InstantClock } from "../fakes/instant-clock.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { MemoryWorld } from "../fakes/premiere/memory-world.ts";
import { type PremiereDouble, startPremiere } from "../fakes/premiere/premiere.ts";
import { SAMPLE_SEQUENCE_ID, sampleProject } from "../fakes/premiere/sample-project.ts";
import type { SequenceState } from "../fakes/premiere/state.ts";
import { SeededRandom } from "../fakes/seeded-random.ts";
import { EDITOR_STEPS, isTagged, PROJECT_ID } from "./editor-steps.ts";

/** What was seen in a session. */
export interface SessionReport {
  readonly steps: readonly string[];
  /** Laws that did not hold; empty when all did. */
  readonly faults: readonly string[];
  /** How often the plugin merged, and how many words of the person it had to keep in all. */
  readonly merges: number;
  readonly wordsHeld: number;
}

/** Words of the person at the keyboard, each with a number of its own. */
const OWN_WORDS = /kim\d+/g;

const SIGNAL = new AbortController().signal;
const OFFSET_SECONDS = 2;
const DURATION_SECONDS = 50;

/** What the plugin does: with a new result, with none, after a loss of its records. */
const PLUGIN_STEPS = ["merge a new result", "merge a new result", "read back", "lose a record"] as const;

/**
 * Plays a session on a Premiere without Premiere: a person and the plugin work on one sequence in turn, drawn from a seed.
 * After every step the laws of the round trip are put to the test.
 */
export async function playSession(seed: number, stepCount: number): Promise<SessionReport> {
  const session = new EditSession(seed);
  await session.place(session.freshResult());
  for (let step = 0; step < stepCount && session.faults.length === 0; step++) await session.step();
  session.faults.push(...session.premiere.machine.violations);
  const { steps, faults, merges, wordsHeld } = session;
  return { steps, faults, merges, wordsHeld };
}

class EditSession {
  readonly premiere: PremiereDouble;
  readonly steps: string[] = [];
  readonly faults: string[] = [];
  merges = 0;
  wordsHeld = 0;
  readonly #host: PremiereHost;
  readonly #random: SeededRandom;
  #words = 0;
  #result: readonly Cue[] = [];
  /** The record beside the project, which undo does not reach. */
  #beside: string | null = null;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    const world = new MemoryWorld();
    this.premiere = startPremiere({
      project: sampleProject({ display: this.#random.oneOf(["25", "23.976", "29.97 DF"] as const) ?? "25" }),
      world,
      schedule: (run) => void setImmediate(run),
      // Every fourth session is one of a version whose markers have no identity.
      faults: { version: seed % 4 === 3 ? "26.2" : "26.3", staleness: seed % 2 === 0 ? "commit" : "await" },
    });
    this.#host = new PremiereHost({
      premiere: this.premiere.module,
      clock: new InstantClock(),
      files: world,
      presets: { list: async () => [] },
      newFile: async () => "/aside/export.mp4",
    });
  }

  /** A result of the service, its cues numbered from 1 as services do. */
  freshResult(): Cue[] {
    const random = this.#random;
    const kept = this.#result.flatMap((cue): Omit<Cue, "id">[] => {
      const chance = random.next();
      if (chance < 0.1) return [];
      const { start, end, text } = cue;
      const moved = chance < 0.25 ? random.next() - 0.5 : 0;
      return [{ start: start + moved, end: end + moved, text: chance > 0.8 ? this.#lineOf("Reworded") : text }];
    });
    const added = Array.from({ length: this.#result.length === 0 ? 8 : random.whole(0, 2) }, (_, index) => {
      const start = 1 + (this.#result.length === 0 ? index * 6 : random.next() * 40);
      return { start, end: start + 1 + random.next() * 2, text: this.#lineOf("Line") };
    });
    const ordered = [...kept, ...added].sort((a, b) => a.start - b.start);
    return ordered.map((cue, index) => ({ ...cue, id: `cue-${String(index + 1).padStart(4, "0")}` }));
  }

  async step(): Promise<void> {
    if (this.#random.next() < 0.3) await this.#pluginStep();
    else this.#editorStep();
    await this.#checkReading();
  }

  /** Merges a result into the sequence as it is, and holds what comes of it against the laws. */
  async place(result: readonly Cue[] | undefined): Promise<void> {
    const before = this.#sequence();
    const { merge, record } = await this.#merge(result);
    const applied = await this.#host.apply(merge.plan, { signal: SIGNAL });
    if (applied.outcome !== "done") this.#fault(`not as planned: ${applied.differences.join("; ")}`);
    if (result !== undefined) this.#result = merge.generated ?? [];
    this.merges += 1;
    await this.#keep(recordAfterMerge(record, merge, applied), result !== undefined);
    this.#compare(before, this.#sequence(), merge);
    const again = await this.#merge(result);
    const rest = again.merge.plan.groups.flatMap((group) => group.steps);
    if (rest.length > 0) this.#fault(`a second merge changes something: ${JSON.stringify(rest[0])}`);
    const { missing, isAllGone } = merge.readBack;
    if (isAllGone) return;
    const back = missing.filter((id) => merge.cues.some((cue) => cue.id === id));
    if (back.length > 0) this.#fault(`deleted, and back again: ${back.join(", ")}`);
  }

  async #pluginStep(): Promise<void> {
    const step = this.#random.oneOf(PLUGIN_STEPS) ?? "read back";
    this.steps.push(step);
    if (step === "merge a new result") return this.place(this.freshResult());
    if (step === "read back") return this.place(undefined);
    if (this.#random.next() < 0.5) this.#beside = this.#random.next() < 0.5 ? null : "damaged";
    else {
      const { user } = this.premiere;
      user.editSequence(this.#sequence().id, "Lose the note", (sequence) => ({ ...sequence, properties: new Map() }));
    }
  }

  #editorStep(): void {
    const name = this.#random.oneOf(Object.keys(EDITOR_STEPS)) ?? "undo";
    this.steps.push(name);
    const desk = { premiere: this.premiere, random: this.#random, sequence: this.#sequence() };
    EDITOR_STEPS[name]?.({ ...desk, newWords: () => `The words of kim${++this.#words}.` });
    const { activeSequenceId, sequences } = this.premiere.machine.project(PROJECT_ID);
    // Undoing the making of a sequence closes it.
    if (!sequences.has(activeSequenceId ?? "")) this.premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
  }

  async #merge(result: readonly Cue[] | undefined): Promise<{ merge: SequenceMerge; record: PlacedResult }> {
    const sequence = await this.#host.readSequence();
    const timeline = await this.#host.readTimeline();
    const record = await this.#record(sequence.id, timeline);
    const merge = mergeIntoSequence({
      sequence,
      timeline,
      record,
      offsetSeconds: OFFSET_SECONDS,
      durationSeconds: DURATION_SECONDS,
      ...(result === undefined ? {} : { result }),
    });
    return { merge, record: record ?? emptyRecord(sequence.id) };
  }

  async #record(sequenceId: string, timeline: Timeline): Promise<PlacedResult | null> {
    const note = await this.#host.readNote(sequenceId, "record");
    return chooseRecord([note, this.#beside], sequenceId, timeline).record;
  }

  async #keep(record: PlacedResult, isWhole: boolean): Promise<void> {
    const text = writeRecord(record);
    const note = { name: "record", text, label: "Keep descriptions" };
    await this.#host.writeNote(record.placed.sequenceId, note, SIGNAL);
    // Now and then the second copy is not written: a full disk, a closed panel.
    if (isWhole || this.#random.next() < 0.8) this.#beside = text;
  }

  /** Nothing of others is changed, and no word of the person is gone. */
  #compare(before: SequenceState, after: SequenceState, merge: SequenceMerge): void {
    // A marker whose tag was lost is ours where it was known again all the same.
    const known = new Set(merge.readBack.markers.map(({ marker }) => `${marker.name}/${marker.comment}`));
    const others = before.markers.filter((marker) => !known.has(`${marker.name}/${marker.comments}`));
    for (const marker of others) {
      const now = after.markers.find(({ guid }) => guid === marker.guid);
      const isSame =
        now !== undefined &&
        Object.entries(marker).every(([key, value]) =>
          Object.entries(now).some(([other, is]) => other === key && is === value),
        );
      if (!isSame) this.#fault(`a marker of somebody else is not as it was: ${marker.comments}`);
    }
    const words = wordsIn(before);
    this.wordsHeld += words.size;
    const left = wordsIn(after);
    for (const word of words) if (!left.has(word)) this.#fault(`${word} is gone`);
  }

  /** Whatever the timeline looks like, it can be read, and every word on a marker of ours is read. */
  async #checkReading(): Promise<void> {
    const { merge } = await this.#merge(undefined);
    const read = new Set(merge.readBack.cues.flatMap(({ text }) => text.match(OWN_WORDS) ?? []));
    const start = BigInt(OFFSET_SECONDS) * 254_016_000_000n;
    const end = BigInt(OFFSET_SECONDS + DURATION_SECONDS) * 254_016_000_000n;
    for (const marker of this.#sequence().markers.filter(isTagged)) {
      if (marker.start < start || marker.start >= end) continue;
      for (const word of marker.comments.match(OWN_WORDS) ?? [])
        if (!read.has(word)) this.#fault(`${word} is not read`);
    }
  }

  #lineOf(kind: string): string {
    return `${kind} ${Math.floor(this.#random.next() * 1e9)} of the service.`;
  }

  #sequence(): SequenceState {
    const { activeSequenceId } = this.premiere.machine.project(PROJECT_ID);
    return this.premiere.machine.sequence(PROJECT_ID, activeSequenceId ?? "");
  }

  #fault(message: string): void {
    this.faults.push(`after step ${this.steps.length} (${this.steps.at(-1) ?? "the first placing"}): ${message}`);
  }
}

function wordsIn({ markers }: SequenceState): Set<string> {
  return new Set(markers.flatMap((marker) => `${marker.comments} ${marker.name}`.match(OWN_WORDS) ?? []));
}

function emptyRecord(sequenceId: string): PlacedResult {
  const range = { offsetSeconds: OFFSET_SECONDS, durationSeconds: DURATION_SECONDS };
  return placedResult([], { ...range, revision: 0, generated: null }, { sequenceId });
}
