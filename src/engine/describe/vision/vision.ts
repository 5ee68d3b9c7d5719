import type { JobFinding } from "../../../contract/job.ts";
import { cueIdAt } from "../../../core/cue.ts";
import { byPicture } from "../../../core/placement.ts";
import { countSpokenWords, spokenWords } from "../../../core/speaking-time.ts";
import type { VisionSettings } from "../../models/vision-settings.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "../describer.ts";
import { Asker, amountOf } from "./asker.ts";
import { checkLines, LineChecker, type LineToCheck, type SecondLook } from "./check.ts";
import { withExactWords } from "./exact-words.ts";
import { inParallel } from "./in-parallel.ts";
import { type Knowledge, know } from "./know.ts";
import { type Change, readingLines, readThrough } from "./last-reading.ts";
import { type LogEvent, look } from "./look.ts";
import { plannedRequests, writtenBy } from "./plan-requests.ts";
import { reelsOf, type Scene, scenesOf, scenesTogether } from "./scenes.ts";
import { LATEST_LINES, SpokenSoFar, tidyWording } from "./wording.ts";
import { type DraftLine, type WritingReport, writeScene } from "./write.ts";

/**
 * Describes with a vision model as a describer works: it *looks* at the whole film and logs what is seen, gets to *know* its
 * persons and its story, *writes* scene by scene for the pauses there are, and *checks* every line against its pictures
 * and the whole script once more.
 *
 * @param folder where answers are kept for later attempts and later jobs of the same media.
 * @param foundLocally `true` when nothing was configured and the model was found on this machine; the result says so.
 */
export function visionDescriber(settings: VisionSettings, folder: string, foundLocally: boolean): Describer {
  return {
    name: "vision",
    describe: (request, signal, onProgress) =>
      new VisionRun(settings, folder, request, signal).describe(foundLocally, onProgress),
  };
}

/** Share of the whole that each stage is expected to take; for progress alone. */
const SHARES = { look: 0.55, know: 0.05, write: 0.3, finish: 0.1 } as const;

/** A description with the events it tells, and the verdict of the second look, which comes while others are written. */
interface Draft {
  readonly description: WrittenDescription;
  readonly events: readonly LogEvent[];
  readonly verdict: Promise<SecondLook>;
}

class VisionRun {
  readonly #request: DescribeRequest;
  readonly #signal: AbortSignal;
  readonly #settings: VisionSettings;
  readonly #asker: Asker;
  readonly #notes: string[] = [];
  readonly #findings: JobFinding[] = [];
  /** Lines of a small model that its own second look did not confirm: for a person to write. */
  readonly #unsure: WrittenDescription[] = [];

  constructor(settings: VisionSettings, folder: string, request: DescribeRequest, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
    this.#settings = settings;
    const { keyFrameFolder: frameFolder, maximumCost } = request;
    this.#asker = new Asker({ settings, keptFolder: folder, frameFolder, maximumCost, signal });
  }

  async describe(
    foundLocally: boolean,
    onProgress: (fraction: number) => void = () => {},
  ): Promise<WrittenDescriptions> {
    const notes = this.#notes;
    await this.#asker.prepare();
    const { durationSeconds, keyFrames } = this.#request;
    const film = { durationSeconds, pictures: keyFrames.length };
    this.#asker.expect(plannedRequests(film, this.#asker.mostPictures, this.#asker.small));
    const log = await look(this.#request, this.#asker, { notes, onDone: (share) => onProgress(SHARES.look * share) });
    this.#asker.requireAnswers();
    const knowledge = await know(this.#request, log, this.#asker, notes);
    onProgress(SHARES.look + SHARES.know);
    const scenes = scenesOf(this.#request, log.events, this.#asker.small?.sceneEvents);
    const drafts = await this.#write(scenes, knowledge, (share) =>
      onProgress(SHARES.look + SHARES.know + SHARES.write * share),
    );
    const checked = await this.#checked(drafts, knowledge);
    const told = [...checked, ...(await this.#toldInstead(checked, drafts, scenes, knowledge))].sort(byPicture);
    const fitted = await this.#fitted(told, knowledge);
    const descriptions = await this.#readThrough(fitted, knowledge);
    onProgress(1);
    return {
      descriptions,
      bible: knowledge.bible,
      notes: [this.#summary(foundLocally), ...this.#asker.notes, ...notes],
      findings: this.#findings,
      ...(this.#unsure.length === 0 ? {} : { unsure: this.#unsure }),
    };
  }

  /**
   * Writes the reels of a long film side by side: the bible tells them all of each other. A line that another reel has in the
   * same words stays where it comes first; what they tell alike in other words is for the last reading.
   */
  async #write(scenes: readonly Scene[], knowledge: Knowledge, onDone: (share: number) => void): Promise<Draft[]> {
    const { parallel } = this.#asker;
    let done = 0;
    const reels = await inParallel(reelsOf(scenes, parallel), parallel, (reel) =>
      this.#writeReel(reel, knowledge, () => onDone(++done / scenes.length)),
    );
    const said = new Set<string>();
    const drafts = reels.flatMap((reel) => {
      const fresh = reel.filter(({ description }) => !said.has(wordsOf(description)));
      this.#noteSaidBefore(
        reel.filter((draft) => !fresh.includes(draft)).map(({ description }) => textOf(description)),
      );
      for (const { description } of fresh) said.add(wordsOf(description));
      return fresh;
    });
    return drafts.map((draft, index) => ({ ...draft, description: { ...draft.description, id: cueIdAt(index) } }));
  }

  /** Scene by scene, each told what is spoken before it; what is finished is checked meanwhile. */
  async #writeReel(scenes: readonly Scene[], knowledge: Knowledge, onDone: () => void): Promise<Draft[]> {
    const drafts: Draft[] = [];
    const spoken = new SpokenSoFar(this.#request, this.#signal);
    const checker = this.#checker(knowledge);
    for (const scene of scenes) {
      this.#signal.throwIfAborted();
      const material = { scene, knowledge, spoken: spoken.before(scene) };
      const lines = await writeScene(material, this.#request, this.#asker, this.#writing);
      const fresh = draftsOf(this.#unsaid(lines, spoken), drafts.length, checker);
      drafts.push(...fresh);
      await spoken.add(fresh.map(({ description }) => description));
      onDone();
    }
    checker.end();
    return drafts;
  }

  get #writing(): WritingReport {
    return { notes: this.#notes, findings: this.#findings };
  }

  #checker(knowledge: Knowledge): LineChecker {
    return new LineChecker({ request: this.#request, knowledge, asker: this.#asker });
  }

  /**
   * What else can be told in the beats whose lines turned out wrong: they are written once more without what was not there.
   */
  async #toldInstead(
    kept: readonly WrittenDescription[],
    drafts: readonly Draft[],
    scenes: readonly Scene[],
    knowledge: Knowledge,
  ): Promise<WrittenDescription[]> {
    const ids = new Set(kept.map(({ id }) => id));
    const wrong = new Set(drafts.filter(({ description }) => !ids.has(description.id)).flatMap(({ events }) => events));
    const told = new Set(drafts.filter(({ description }) => ids.has(description.id)).flatMap(({ events }) => events));
    const freed = scenesTogether(
      scenes.flatMap((scene): Scene[] => {
        const beats = scene.beats
          .filter(({ events }) => events.some((event) => wrong.has(event)))
          .map((beat) => ({ ...beat, events: beat.events.filter((event) => !wrong.has(event) && !told.has(event)) }))
          .filter(({ events }) => events.some(({ importance }) => importance >= WORTH_TELLING));
        const words = beats.reduce((sum, beat) => sum + beat.words, 0);
        return beats.length === 0 ? [] : [{ ...scene, beats, words: Math.min(scene.words, words) }];
      }),
      this.#asker.small?.sceneEvents,
    );
    const written = await inParallel(freed, this.#asker.parallel, async (scene) => {
      const before = kept.filter(({ picture }) => picture.start < scene.start).slice(-LATEST_LINES);
      const inside = kept.filter(({ picture }) => picture.start >= scene.start && picture.start < scene.end);
      const spoken = [...before, ...inside].map(textOf);
      return await writeScene({ scene, knowledge, spoken }, this.#request, this.#asker, this.#writing);
    });
    const checker = this.#checker(knowledge);
    const fresh = draftsOf(written.flat(), drafts.length, checker);
    checker.end();
    return await this.#checked(fresh, knowledge);
  }

  /** Lines that say nothing in the very words of an earlier one. */
  #unsaid(lines: readonly DraftLine[], spoken: SpokenSoFar): DraftLine[] {
    return lines.filter(({ text }, index) => {
      const isRepeated =
        spoken.has(text) || lines.slice(0, index).some((line) => spokenWords(line.text) === spokenWords(text));
      if (isRepeated) this.#noteSaidBefore([text]);
      return !isRepeated;
    });
  }

  #noteSaidBefore(texts: readonly string[]): void {
    this.#notes.push(...texts.map((text) => `Said before, and left out: "${text}"`));
  }

  /** What the second look found wrong goes, with a note; what it cannot tell is marked, or left to a person where the model is small. */
  async #checked(drafts: readonly Draft[], knowledge: Knowledge): Promise<WrittenDescription[]> {
    const kept: WrittenDescription[] = [];
    const mendable = await this.#mendable(drafts, knowledge);
    for (const { description, verdict } of drafts) {
      const { kind, why } = await verdict;
      const reason = why === "" ? "" : ` (${why})`;
      const text = description.wordings[0] ?? "";
      const rest = mendable.get(description.id) ?? "";
      if (rest !== "") {
        this.#notes.push(`Changed, because the pictures do not show all of it${reason}: "${text}" to "${rest}"`);
        // Nobody knows what of it is left: it waits until all is seen.
        const { picture, moments = [] } = description;
        const start = moments.at(-1)?.start ?? picture.start;
        kept.push({ ...description, wordings: [rest], picture: { ...picture, start } });
      } else if (kind === "wrong") this.#notes.push(`Dropped, because the pictures do not show it${reason}: "${text}"`);
      else if (kind === "right") kept.push(description);
      else if (this.#asker.small !== null) {
        this.#notes.push(`Left for you to write, because the model is not sure of it${reason}: "${text}"`);
        this.#unsure.push(description);
      } else {
        const confidence = Math.min(description.confidence ?? 1, UNSURE_CONFIDENCE);
        kept.push({ ...description, confidence, doubt: why === "" ? "the pictures cannot tell" : why });
      }
    }
    return kept;
  }

  /** What is left of wrong lines, where the pictures do show that; by id. */
  async #mendable(drafts: readonly Draft[], knowledge: Knowledge): Promise<Map<string, string>> {
    const rests: (LineToCheck & { readonly id: string })[] = [];
    for (const { description, events, verdict } of drafts) {
      const { kind, mended } = await verdict;
      const text = kind === "wrong" ? this.#mended(mended, description.wordings[0] ?? "") : "";
      if (text !== "") rests.push({ id: description.id, text, moments: events.map(({ seen }) => seen) });
    }
    const shown = await this.#areShown(rests, knowledge);
    return new Map(rests.filter((_, index) => shown[index] === true).map(({ id, text }) => [id, text]));
  }

  /** Whether pictures show words that came after the second look: nothing is spoken that was not held against them. */
  async #areShown(lines: readonly LineToCheck[], knowledge: Knowledge): Promise<boolean[]> {
    const verdicts = await checkLines(lines, { request: this.#request, knowledge, asker: this.#asker });
    return verdicts.map(({ kind }) => kind === "right");
  }

  /** What is left of a wrong line; empty where that says nothing, or more than the line did. */
  #mended(rest: string, text: string): string {
    const words = tidyWording(rest, this.#request.language);
    const isLess = countSpokenWords(words) < countSpokenWords(text);
    return isLess && countSpokenWords(words) >= LEAST_MENDED_WORDS ? words : "";
  }

  /** The descriptions with the wordings that fit, asked for once it is known what fits. */
  async #fitted(
    descriptions: readonly WrittenDescription[],
    knowledge: Knowledge,
  ): Promise<readonly WrittenDescription[]> {
    if (descriptions.length === 0) return descriptions;
    const rehearsal = await this.#request.rehearse(descriptions, this.#signal);
    const areShown = (lines: readonly LineToCheck[]) => this.#areShown(lines, knowledge);
    return withExactWords(descriptions, rehearsal, {
      request: this.#request,
      asker: this.#asker,
      knowledge,
      areShown,
    });
  }

  async #readThrough(
    descriptions: readonly WrittenDescription[],
    knowledge: Knowledge,
  ): Promise<readonly WrittenDescription[]> {
    if (descriptions.length < 2) return descriptions;
    const { spoken } = await this.#request.rehearse(descriptions, this.#signal);
    const pictures = new Map(descriptions.map(({ id, picture }) => [id, picture]));
    const lines = readingLines(spoken, pictures, this.#request);
    const read = await readThrough(lines, { request: this.#request, knowledge, asker: this.#asker });
    const texts = new Map(spoken.map(({ id, text }) => [id, text]));
    const worded = read.flatMap(({ id, text }) => {
      const picture = pictures.get(id);
      return text === null || picture === undefined ? [] : [{ id, text, moments: [picture] }];
    });
    const shown = await this.#areShown(worded, knowledge);
    const unshown = new Set(worded.filter((_, index) => shown[index] !== true).map(({ id }) => id));
    const changes = new Map(read.filter(({ id }) => !unshown.has(id)).map((change) => [change.id, change]));
    if (changes.size === 0) return descriptions;
    const mended = descriptions.flatMap((description): WrittenDescription[] => {
      const change = changes.get(description.id);
      if (change === undefined) return [description];
      if (change.text === null) return [];
      const said = texts.get(change.id) ?? "";
      const isShorter = countSpokenWords(said) < countSpokenWords(change.text);
      // What misleads is not spoken, though nothing else may find a place.
      return [{ ...description, wordings: change.isMild && isShorter ? [change.text, said] : [change.text] }];
    });
    await this.#noteChanges([...changes.values()], texts, mended);
    return mended;
  }

  /** Says of each change of the last reading what came of it: the words that are found a place are known by now. */
  async #noteChanges(
    changes: readonly Change[],
    before: ReadonlyMap<string, string>,
    mended: readonly WrittenDescription[],
  ): Promise<void> {
    const { spoken } = await this.#request.rehearse(mended, this.#signal);
    const after = new Map(spoken.map(({ id, text }) => [id, text]));
    for (const { id, text, why } of changes) {
      const reason = why === "" ? "" : ` (${why})`;
      const said = before.get(id) ?? "";
      if (text === null) this.#notes.push(`Left out at the last reading${reason}: "${said}"`);
      else if (after.get(id) === text) this.#notes.push(`Changed at the last reading${reason}: "${said}" to "${text}"`);
      else if (after.has(id)) this.#notes.push(`Kept, for want of room for "${text}"${reason}: "${said}"`);
    }
  }

  #summary(foundLocally: boolean): string {
    const { now, cost, before } = this.#asker.spent;
    const found = foundLocally ? " (found on this computer, nothing was configured)" : "";
    const costs = cost === null ? "" : `, cost ${cost.toFixed(4)}`;
    const kept = before.requests === 0 ? "" : ` Answers of an earlier run were used again: ${amountOf(before)}.`;
    return `${writtenBy(this.#settings)}${found}: ${amountOf(now)}${costs}.${kept} Review it against the picture.`;
  }
}

/** Confidence of a line that the second look could neither confirm nor refute. */
const UNSURE_CONFIDENCE = 0.5;

/** Importance from which something is told in place of a line that went. */
const WORTH_TELLING = 0.5;

/** Fewer words are no sentence. */
const LEAST_MENDED_WORDS = 2;

/** Lines as descriptions, while the second look at them is under way. */
function draftsOf(lines: readonly DraftLine[], before: number, checker: LineChecker): Draft[] {
  return lines.map((line, at) => {
    const verdict = checker.verdictOn({ text: line.text, moments: line.events.map(({ seen }) => seen) });
    // It is awaited with all others; an error that comes before that is not to end the process.
    verdict.catch(() => {});
    return { description: writtenFrom(line, cueIdAt(before + at)), events: line.events, verdict };
  });
}

function textOf({ wordings }: WrittenDescription): string {
  return wordings[0] ?? "";
}

function wordsOf(description: WrittenDescription): string {
  return spokenWords(textOf(description));
}

function writtenFrom({ text, events, picture, importance, confidence }: DraftLine, id: string): WrittenDescription {
  return { id, wordings: [text], picture, moments: events.map(({ seen }) => seen), importance, confidence };
}
