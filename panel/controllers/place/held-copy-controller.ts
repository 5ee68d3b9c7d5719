import { framesFromSeconds } from "../../../src/core/frame-rate.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import { writeSubRip } from "../../../src/formats/subrip.ts";
import type { GapToOpen } from "../../../src/host/editor.ts";
import type { HostOperation, SequenceInfo } from "../../../src/host/host.ts";
import { voiceLengths } from "../../../src/result/held.ts";
import { extendedCues, type PlacedResult, type Result, soundingCues } from "../../../src/result/result.ts";
import { followCut } from "../../../src/workflow/conform/conformed-result.ts";
import { type HeldCopy, heldCopyOf, planHeldPlacement } from "../../../src/workflow/place/held-copy.ts";
import { heldForLines } from "../../../src/workflow/place/held-lines.ts";
import { firstRecord } from "../../../src/workflow/place/merge-result.ts";
import { cutNarrationClips } from "../../../src/workflow/place/narration-clips.ts";
import { resultWithLine, voiceLine } from "../../../src/workflow/revoice/voice-line.ts";
import { writeSilence } from "../../../src/workflow/wave-files.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import { keepBeside, noteOf, voiceFilesBeside } from "../../session/kept-record.ts";
import type { Session } from "../../session/session.ts";
import { jobOf } from "../../state/panel-state.ts";
import type { JobEntry } from "../../state/saved.ts";
import { words } from "../../words/words.ts";
import type { ApplyController } from "./apply-controller.ts";
import { type MadeCopy, removeCopy } from "./copy-controller.ts";

/** Where the file of a sound goes, by its name. */
type PathOf = (name: string) => string;

/** Lays an extended result on a copy of its sequence that is held for it: gaps, markers, narration. */
export class HeldCopyController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #applyController: ApplyController;
  #isUnderWay = false;

  constructor(session: Session, connection: ServiceConnection, applyController: ApplyController) {
    this.#session = session;
    this.#connection = connection;
    this.#applyController = applyController;
  }

  /** Makes a new held copy each time: what was done on an earlier one stays there. */
  async place(): Promise<void> {
    this.#session.commitTyped();
    const { review } = this.#session.state;
    const job = jobOf(this.#session.state, review?.result.runId);
    if (review === null || job === undefined || this.#isUnderWay || this.#applyController.isUnderWay) return;
    const { result } = review;
    const isOfLines = extendedCues(result).length > 0;
    this.#isUnderWay = true;
    try {
      const held = isOfLines ? await this.#heldForLines(job, result) : heldCopyOf(result, job.sequence.rate);
      if (held === null) return this.#session.tell(isOfLines ? words.fitWithoutHold : words.noHolds, { isFault: true });
      await this.#place(job, held, result);
    } finally {
      this.#isUnderWay = false;
    }
  }

  async #place(job: JobEntry, held: HeldCopy, result: Result): Promise<void> {
    const { environment } = this.#session;
    const { editor, files } = environment;
    const { rate } = job.sequence;
    const pathOf = await voiceFilesBeside(environment, job.audioPath);
    // All that may fail without a trace comes before the copy.
    const voiced = await this.#applyController.work(words.voicingLines, (operation) =>
      this.#voice(job, held.result, pathOf, operation),
    );
    const gaps = await this.#silences(held, rate, pathOf);
    const made = await this.#applyController.work(words.copying, (operation) => this.#copy(job, operation));
    const { copy, asLeft: asCopied } = made;
    if (followCut(result, { sequence: copy, timeline: asCopied }) !== null) {
      await removeCopy(this.#session, made);
      return this.#session.tell(words.noHolds, { isFault: true });
    }
    this.#leave(made);
    const label = words.holding;
    const report = await this.#applyController.work(label, (operation) =>
      editor.openGaps({ sequenceId: copy.id, label, gaps }, operation),
    );
    const now = await editor.readTimeline();
    this.#leave({ ...made, asLeft: now });
    const where = words.onCopy({ copy: copy.name, original: job.sequence.name });
    if (report.outcome !== "done") {
      const details = [where, ...report.differences];
      return this.#session.tell(words.notHeld, { isFault: true, next: words.notHeldNext, details });
    }
    // Not before it is known how the copy is left.
    this.#session.store.set({ canTakeBack: false });
    const cutOff: string[] = [];
    const order = {
      result: voiced.result,
      rate,
      pathOf,
      onCutOff: (ids: readonly string[]) => void cutOff.push(...ids),
    };
    const clips = (await cutNarrationClips(files, order)) ?? [];
    const placement = { ...held, result: voiced.result, sequence: copy, asCopied, now, clips };
    const record = this.#recordOf(voiced.result, copy, now);
    const captions = await this.#captions(copy, held.result, pathOf);
    const { applied } = await this.#applyController.applyForGood(
      words.placingNarration,
      { ...planHeldPlacement(placement), note: noteOf(record) },
      {
        before: now,
        done: words.heldOnCopy({ holds: gaps.length, seconds: Math.round(held.map.addedSeconds) }),
        details: [
          where,
          words.heldPicture,
          ...captions,
          ...(voiced.missing === 0 ? [] : [words.notVoiced({ count: voiced.missing })]),
          ...(cutOff.length === 0 ? [] : [words.cutOffLeftOut({ count: cutOff.length })]),
        ],
      },
    );
    await keepBeside(this.#session, { ...record, placed: { ...record.placed, markerIds: applied.markerIds } });
    this.#leave({ ...made, asLeft: await editor.readTimeline() });
  }

  /** A copy that is held for the extended lines of a standard description, as long as the voice says them. */
  async #heldForLines(job: JobEntry, result: Result): Promise<HeldCopy | null> {
    const { environment } = this.#session;
    const { rate } = job.sequence;
    const pathOf = await voiceFilesBeside(environment, job.audioPath);
    // They alone, and without an end of their own: so they are spoken at the voice's pace.
    const { audio: _, pieces: __, mutedIds: ___, ...rest } = result;
    const cues = extendedCues(result).map((cue) => ({ ...cue, end: cue.start }));
    const { result: spoken } = await this.#applyController.work(words.voicingLines, (operation) =>
      this.#voice(job, { ...rest, cues, voiced: {} }, pathOf, operation),
    );
    const lengths = new Map(
      Object.entries(spoken.voiced).flatMap(([id, { seconds }]) => (seconds === undefined ? [] : [[id, seconds]])),
    );
    const held = heldForLines(result, rate, lengths);
    return held === null ? null : heldCopyOf(held, rate, "kept");
  }

  /** From here on taking back removes the copy, as long as it is as it is now. */
  #leave(made: MadeCopy): void {
    this.#applyController.onTakeBack(async () => {
      await removeCopy(this.#session, made);
      return [];
    });
  }

  /** Has every line voiced by itself that has no sound, as long as it is heard; lines that no service voices are counted. */
  async #voice(
    job: JobEntry,
    result: Result,
    pathOf: PathOf,
    { signal, onProgress }: HostOperation,
  ): Promise<{ readonly result: Result; readonly missing: number }> {
    const { files } = this.#session.environment;
    const client = await this.#connection.client(job.serviceAddress);
    const present = voiceLengths(result);
    const cues = soundingCues(result).filter(({ id }) => !present.has(id));
    let voiced = result;
    let missing = 0;
    for (const [index, { id }] of cues.entries()) {
      const made = await voiceLine({ client, files }, { result: voiced, cueId: id, pathOf, signal });
      if (made.kind === "not-offered") return { result, missing: cues.length };
      if (made.kind === "voiced") voiced = resultWithLine(voiced, made.line);
      else missing += 1;
      onProgress?.({ fraction: (index + 1) / cues.length });
    }
    return { result: voiced, missing };
  }

  /** A silent sound for each hold, those of one length together. */
  async #silences({ map }: HeldCopy, rate: SequenceInfo["rate"], pathOf: PathOf): Promise<readonly GapToOpen[]> {
    const { files } = this.#session.environment;
    const gaps: GapToOpen[] = [];
    for (const { at, seconds } of map.holds) {
      const frames = framesFromSeconds(seconds, rate);
      const path = pathOf(`aside-hold-${frames}-at-${rate.numerator}-${rate.denominator}.wav`);
      await writeSilence(files, path, seconds);
      gaps.push({ at, seconds, path });
    }
    return gaps;
  }

  async #copy(job: JobEntry, { signal }: HostOperation): Promise<MadeCopy> {
    const { editor } = this.#session.environment;
    const name = words.heldCopyName({ name: job.sequence.name });
    const copy = await editor.copySequence({ sequenceId: job.sequence.id, name }, { signal });
    this.#session.store.set({ sequence: copy, canTakeBack: false });
    return { original: job.sequence, copy, asLeft: await editor.readTimeline() };
  }

  #recordOf(result: Result, copy: SequenceInfo, now: Timeline): PlacedResult {
    return { ...firstRecord(result, copy.id, now), revision: 1, voiced: result.voiced };
  }

  /** What is said in the programme as a caption file on the clock of the copy: no call of Premiere's moves captions. */
  async #captions(copy: SequenceInfo, { dialogue = [], offsetSeconds }: Result, pathOf: PathOf): Promise<string[]> {
    if (dialogue.length === 0) return [words.captionsStay];
    const cues = dialogue.map(({ start, end, text }, index) => ({
      id: String(index + 1),
      start: start + offsetSeconds,
      end: end + offsetSeconds,
      text,
    }));
    const path = pathOf(`${copy.name.replace(/[^\p{L}\p{N}]+/gu, "-")}.srt`);
    await this.#session.environment.files.writeText(path, writeSubRip(cues));
    return [words.captionsShifted({ path })];
  }
}
