import { join } from "node:path";
import type { JobFinding, JobReport, VideoReport } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import { EMPTY_BIBLE } from "../../core/film-bible.ts";
import { frameRate } from "../../core/frame-rate.ts";
import { confidentRanges, findGaps, type Gap } from "../../core/gap.ts";
import { defined, isObject } from "../../core/objects.ts";
import {
  ADDED_SHARE,
  type DescriptionSettings,
  type FrameGrid,
  mayLieOverMusic,
  type Voicing,
} from "../../core/settings.ts";
import { shotsByCut } from "../../core/shot.ts";
import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { startLabel } from "../../core/timecode.ts";
import { readBible } from "../../formats/bible-text.ts";
import { type FilmReading, readCues, writeCues } from "../../formats/index.ts";
import { analyseProgramme } from "../analyse/analyse-programme.ts";
import { chooseSound } from "../analyse/sound/choose-sound.ts";
import { chooseDescriber, describesHere } from "../describe/choose-describer.ts";
import type { Describer, TranscriptLine, WrittenDescriptions } from "../describe/describer.ts";
import { readGlossary, scriptDescriber } from "../describe/script.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import { probeMedia } from "../ffmpeg/probe/probe.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import type { TaskContext } from "../isolate/message.ts";
import type { MixReport } from "../mix/mix-report.ts";
import { VisionError } from "../models/refusal.ts";
import { ScreenTextReader } from "../ocr/text-reading.ts";
import { type ProgrammeAnalysis, type StoredAnalysis, storedAnalysis } from "../programme-analysis.ts";
import type { ProgrammeOrder, ProgrammeResult } from "../tasks/tasks.ts";
import { type Narrator, openNarrator } from "../voice/narrator.ts";
import { SpeechError } from "../voice/voice.ts";
import { oddLengths } from "../voice/voice-length.ts";
import { type Fitting, fitDescriptions, rehearse } from "./fit.ts";
import { fitAsKept, voicePace, voicingOf } from "./fit-kept.ts";
import { heldFor, heldReport } from "./held-job.ts";
import { jobReport, leftOutLines, leftOutNotes, notEnoughGaps } from "./job-report.ts";
import { type JobWorksheet, leftNotes, makeWorksheet } from "./job-worksheet.ts";
import { doubtsOf, isSilent, lengthFinding, silentFinding, voicedLength, wordingsOf } from "./line-findings.ts";
import { listen, readCaptions } from "./listening.ts";
import { readingAhead, readScreen, readsAllText } from "./screen-reading.ts";
import { checkpoint, StageClock, stageShares, whileAsking } from "./stages.ts";
import { refuseUnreadMix, soundFindings, unknownThroughout } from "./unknown-sound.ts";

/** Written descriptions with the name of who wrote them; plain data, kept as a checkpoint. */
interface DescribedProgramme extends WrittenDescriptions {
  readonly describer: string;
}

/** Frame grid of a programme whose picture has no rate that makes sense. */
const FALLBACK_RATE = frameRate(25);

/**
 * Does one job: analyse, describe, fit, then mix or render where sound or video is asked for, then write the text. Runs in the job's child
 * process. Stages that an earlier attempt finished are taken from its checkpoints.
 *
 * @throws JobFailure with one of the interface's codes; the signal's reason when cancelled; anything else costs the job
 * an attempt.
 */
export async function runPipeline(order: ProgrammeOrder, context: TaskContext): Promise<ProgrammeResult> {
  try {
    return await runStages(order, context);
  } catch (error) {
    // The sentence names the server or command and what to check; a bare internal error would hide it.
    if (error instanceof SpeechError || error instanceof VisionError) {
      throw new JobFailure(error.jobCode, error.message, { cause: error });
    }
    throw error;
  }
}

/** Shots with their key frames, parted where the order says that it was cut; beside a script nothing is said of describing. */
function pictureByCut(
  analysis: Pick<ProgrammeAnalysis, "shots" | "keyFrames">,
  { script, describing }: DescriptionSettings,
) {
  return shotsByCut(analysis, script === undefined ? (describing?.cuts ?? []) : []);
}

async function runStages(order: ProgrammeOrder, context: TaskContext): Promise<ProgrammeResult> {
  const { settings, workFolder } = order;
  const { signal } = context;
  const chosen = settings.script === undefined ? await describerOf(order) : null;
  const clock = new StageClock(context, stageShares(order.kind, chosen?.name === "vision"));
  const notes: string[] = [];
  const narrator = await narratorFor(order, notes);
  const choice = await chooseSound(order.mediaPath, settings.audioTrack, signal);
  const probe = await probeMedia(order.mediaPath, choice);
  refuseTinyPicture(probe);
  refuseUnreadMix(order, probe);
  const grid = gridOf(probe);

  await using reading = new ScreenTextReader(settings.language, process.env, join(order.mediaFolder, "onscreen"));
  const stored = await clock.run("analyse", (onProgress) =>
    storedAnalysis(
      order,
      (folder) =>
        analyseProgramme(order.mediaPath, probe, {
          folder,
          signal,
          onProgress,
          onShot: readingAhead(settings, reading, folder),
        }),
      choice?.basis === "asked" ? choice.tracks : [],
    ),
  );
  const { analysis } = stored;
  refuseUnreadMix(order, probe, analysis);
  const picture = pictureByCut(analysis, settings);
  if (!analysis.hasVisiblePicture) throw noPicture();
  const film = filmOf(probe, analysis);
  const given = readCaptions(settings.captions, film);
  const captions = given.cues;
  const voicing = settings.script === undefined ? undefined : settings.voicing;
  const { transcript, speech, unknown, singing, ...dialogue } = await clock.run("listen", (onProgress) =>
    listen(order, context, { analysis, tracks: choice?.tracks, captions }, onProgress),
  );
  if (voicing === undefined && mayFailForGaps(order)) {
    const failure = unknownThroughout(unknown, analysis.durationSeconds, probe);
    if (failure !== null) throw failure;
  }
  const gaps = voicing === undefined ? gapsFor(order, analysis, speech, film) : [];

  const written = await clock.run("describe", (onProgress) =>
    checkpoint<DescribedProgramme>(join(workFolder, "written.json"), isObject, () =>
      describe(order, { ...context, onDescribed: onProgress }, stored, {
        describer: chosen ?? scriptDescriber(settings.script ?? "", film),
        picture,
        transcript,
        gaps,
        speech,
        phraseEnds: dialogue.phraseEnds,
        grid,
        film,
        reading,
        narrator,
      }),
    ),
  );
  // Its memory is for those that follow.
  await reading[Symbol.asyncDispose]();
  const speak = (work: () => Promise<Fitting>) =>
    narrator?.isCharged === true ? whileAsking(context, false, work) : work();
  const fitting = await clock.run("fit", (onProgress) =>
    speak(() =>
      checkpoint<Fitting>(join(workFolder, "fitting.json"), isObject, () =>
        voicing === undefined
          ? fitDescriptions(
              {
                descriptions: written.descriptions,
                settings,
                gaps,
                speech,
                phraseEnds: dialogue.phraseEnds,
                cuts: picture.shots.map(({ start }) => start),
                durationSeconds: analysis.durationSeconds,
              },
              narrator,
              signal,
              onProgress,
            )
          : fitAsKept(written.descriptions, voicing, narrator, signal, onProgress),
      ),
    ),
  );
  const cues = fitting.cues.map(({ id, start, end, text }): Cue => ({ id, start, end, text }));
  const isLeft = written.leavesRest === true && voicing === undefined;
  const worksheet: JobWorksheet | null =
    isLeft || written.unsure !== undefined
      ? await clock.run("worksheet", () =>
          makeWorksheet(order, context, {
            ...{ stored, gaps, cues, transcript, narrator, probe, grid },
            findings: written.findings ?? [],
            ...defined({ unsure: written.unsure }),
          }),
        )
      : null;
  const lengths = narrator === null ? [] : oddLengths(fitting.cues.map(voicedLength));
  const isEmpty = cues.length === 0 && (worksheet?.toWrite.length ?? 0) === 0;
  // Pauses that nobody but a person was to write into are no finding; a model that is sure of nothing is one.
  const isUntold = cues.length === 0 && (isEmpty || !isLeft);
  const leftOut = settings.script === undefined ? [] : leftOutLines(fitting.unplaced, written);
  if (mayFailForGaps(order) && isEmpty && (isLeft || fitting.unplaced.length > 0)) {
    throw notEnoughGaps(leftOut, Math.max(0, ...gaps.map(({ start, end }) => end - start)));
  }

  const sounds =
    order.kind === "text"
      ? null
      : await makeMedia(order, context, clock, { probe, analysis, fitting, captions, narrator });
  return {
    content: writeCues(cues, settings.format, { grid, language: settings.language }),
    cues,
    files: { ...sounds?.files, ...(worksheet?.path == null ? {} : { worksheet: worksheet.path }) },
    report: jobReport({
      analysis: { ...analysis, shots: picture.shots },
      describer: written.describer,
      transcript,
      singing,
      notes: [
        ...notes,
        ...given.notes,
        ...(probe.soundChoice === null ? [] : [probe.soundChoice]),
        ...dialogue.notes,
        ...written.notes,
        ...leftNotes(worksheet, written),
        ...leftOutNotes(settings.script === undefined ? fitting.unplaced : leftOut),
        // Who has lines voiced again reads no findings of this job.
        ...(voicing === undefined ? [] : lengths.map(({ text, message }) => `“${text}”: ${message}.`)),
        ...(sounds?.notes ?? []),
      ],
      stageSeconds: clock.stageSeconds,
      mix: sounds?.mix,
      voicing: sounds?.voicing,
      wordings: wordingsOf(fitting),
      doubts: doubtsOf(written.descriptions, fitting),
      findings: [
        ...given.findings,
        ...soundFindings(analysis, probe, unknown),
        ...dialogue.findings,
        ...(written.findings ?? []),
        ...(isUntold ? [nothingTold(written, analysis.durationSeconds)] : []),
        // Of a script, each line that is not spoken is a finding already.
        ...(settings.script === undefined ? fitting.unplaced.filter(isSilent).map(silentFinding) : []),
        ...lengths.map(lengthFinding),
      ],
      bible: written.bible === undefined ? undefined : { found: written.bible, given: settings.describing?.bible },
      linesSpoken: narrator?.spokenAnew,
      video: sounds?.video,
      held: heldOf(order, fitting, probe, analysis.durationSeconds),
      toWrite: worksheet?.path == null ? undefined : worksheet.toWrite,
      leftOut,
    }),
  };
}

/** That nothing is told of a film: a result that looks like any other, and has no line. */
function nothingTold(
  { descriptions, describer, findings = [], unsure = [] }: DescribedProgramme,
  durationSeconds: number,
): JobFinding {
  const film = `${durationSeconds.toFixed(0)} s of film`;
  const why =
    descriptions.length > 0
      ? `none of ${descriptions.length} descriptions has a place`
      : findings.some(({ rule }) => rule === "other-language")
        ? "what was written is in another language"
        : unsure.length > 0
          ? "the vision model is not sure of anything that it saw. Look at the film, or use another model"
          : describer === "vision"
            ? "the vision model found nothing to tell. Look at the film, or use another model"
            : "nothing was found to tell";
  return { rule: "nothing-told", severity: "fail", message: `Nothing is told of ${film}: ${why}` };
}

/** Where a text job's extended descriptions need the programme held, for whoever makes the video. */
function heldOf(
  { kind, settings }: ProgrammeOrder,
  { cues }: Fitting,
  probe: MediaProbe,
  durationSeconds: number,
): JobReport["held"] {
  if (kind !== "text" || settings.type !== "extended" || cues.every(({ holdSeconds }) => holdSeconds === 0)) return;
  return heldReport(heldFor(cues, probe, durationSeconds), durationSeconds);
}

interface MadeMedia {
  readonly files: ProgrammeResult["files"];
  readonly mix: MixReport;
  readonly voicing?: Voicing;
  readonly video?: VideoReport;
  readonly notes?: readonly string[];
}

/** Makes what an audio or a video job is asked for. What that takes is loaded here, because a text job needs none of it. */
async function makeMedia(
  order: ProgrammeOrder,
  context: TaskContext,
  clock: StageClock,
  made: {
    readonly probe: MediaProbe;
    readonly analysis: ProgrammeAnalysis;
    readonly fitting: Fitting;
    readonly captions: readonly Cue[];
    readonly narrator: Narrator | null;
  },
): Promise<MadeMedia | null> {
  const { probe, analysis, fitting, captions, narrator } = made;
  if (narrator === null) return null;
  if (order.kind === "video") {
    const { makeVideo } = await import("./make-video.ts");
    const parts = { probe, analysis, narrator, captions, cues: fitting.cues };
    const { path, mix, report, notes } = await clock.run("render", (onProgress) =>
      makeVideo(order, context, parts, onProgress),
    );
    return { files: { video: path }, mix, video: report, notes };
  }
  const { makeSound, UNHELD } = await import("./make-sound.ts");
  const path = join(order.workFolder, "audio.wav");
  const lines = fitting.cues.map((cue) => ({ ...cue, runningSeconds: cue.narrationSeconds }));
  const mix = await clock.run("mix", (onProgress) =>
    makeSound(
      order,
      context,
      { probe, analysis, narrator, lines, map: UNHELD },
      { track: order.track, path, onProgress },
    ),
  );
  return { files: { audio: path }, mix, voicing: voicingOf(mix, fitting.cues, order.track) };
}

/**
 * The voice that speaks, and measures, this job's lines. A text job in a language the voice does not speak goes on with
 * estimated speaking times (`null`), and says so; a job that needs the sound fails.
 */
async function narratorFor(order: ProgrammeOrder, notes: string[]): Promise<Narrator | null> {
  const { language, voice } = order.settings;
  try {
    const opened = await openNarrator({
      language,
      voice,
      cacheFolder: order.narrationFolder,
      environment: process.env,
    });
    notes.push(...opened.notes);
    return opened.narrator;
  } catch (error) {
    if (order.kind !== "text" || !(error instanceof JobFailure)) throw error;
    notes.push(`Speaking times are estimated: ${error.message}`);
    return null;
  }
}

/** The grid EDL labels are counted on: the picture's rate, from 00:00:00:00; drop-frame where the file's own timecode is. */
function gridOf(probe: MediaProbe): FrameGrid {
  const rate = probe.picture?.rate ?? FALLBACK_RATE;
  return { rate, isDropFrame: probe.startTimecode?.includes(";") ?? false, startFrame: 0 };
}

/** What texts of a programme are held against: its length, the label of its first frame, where somebody was heard. */
function filmOf({ picture, startTimecode }: MediaProbe, { durationSeconds, heard }: ProgrammeAnalysis): FilmReading {
  const rate = picture?.rate ?? FALLBACK_RATE;
  return { grid: { rate, ...startLabel(startTimecode, rate) }, durationSeconds, speech: confidentRanges(heard.speech) };
}

/** Whether the settings let this job fail for want of gaps. */
function mayFailForGaps({ settings }: ProgrammeOrder): boolean {
  return settings.type === "standard" && settings.autoFit;
}

function gapsFor(
  order: ProgrammeOrder,
  analysis: ProgrammeAnalysis,
  speech: readonly TimeRange[],
  film: FilmReading,
): Gap[] {
  const { settings } = order;
  const fits = mayFailForGaps(order);
  const gaps = findGaps({
    durationSeconds: analysis.durationSeconds,
    speech,
    music: analysis.heard.music,
    silence: analysis.heard.silence,
    allowMusic: mayLieOverMusic(settings),
    minimumSeconds: fits ? settings.minimumCueSeconds : 0,
  });
  if (fits && gaps.length === 0) {
    const script = settings.script === undefined ? [] : readCues(settings.script, film).cues;
    // Before any voice has spoken them.
    throw notEnoughGaps(
      script.map(({ text, start }) => ({ text, start, seconds: estimateSpeakingSeconds(text) })),
      0,
    );
  }
  return gaps;
}

/** Who describes where no script is given. */
function describerOf({ mediaFolder }: ProgrammeOrder): Promise<Describer> {
  // Beside the media, so that no paid answer is asked for twice: not by a job that tries again, nor in another voice.
  return chooseDescriber({ environment: process.env, folder: join(mediaFolder, "vision") });
}

async function describe(
  order: ProgrammeOrder,
  context: Pick<TaskContext, "signal" | "whileAsking"> & { readonly onDescribed: (fraction: number) => void },
  stored: StoredAnalysis,
  given: {
    readonly describer: Describer;
    readonly picture: Pick<ProgrammeAnalysis, "shots" | "keyFrames">;
    readonly transcript: readonly TranscriptLine[];
    readonly gaps: readonly Gap[];
    readonly speech: readonly TimeRange[];
    readonly phraseEnds: readonly number[];
    readonly grid: FrameGrid;
    readonly film: FilmReading;
    readonly reading: ScreenTextReader;
    readonly narrator: Narrator | null;
  },
): Promise<DescribedProgramme> {
  const { settings } = order;
  const { durationSeconds } = stored.analysis;
  const { shots, keyFrames } = given.picture;
  const { describer } = given;
  const onscreen = await readScreen(settings, stored, given.reading, context.signal);
  // A voice that is paid by the line speaks what is placed in the end, and nothing on trial.
  const voice = given.narrator?.isCharged === true ? null : given.narrator;
  const { gaps, speech, phraseEnds } = given;
  const fits = { settings, gaps, speech, phraseEnds, cuts: shots.map(({ start }) => start), durationSeconds };
  const ask = (work: () => Promise<WrittenDescriptions>) =>
    describer.name === "vision" ? whileAsking(context, describesHere(process.env), work) : work();
  const written = await ask(async () =>
    describer.describe(
      {
        durationSeconds,
        language: settings.language,
        category: settings.category,
        type: settings.type,
        instructions: settings.instructions,
        glossary: await readGlossary(process.env),
        bible: settings.describing?.bible === undefined ? EMPTY_BIBLE : readBible(settings.describing.bible).bible,
        readsAllOnscreenText: readsAllText(settings),
        onscreen,
        shots,
        gaps: given.gaps,
        transcript: given.transcript,
        keyFrames,
        keyFrameFolder: stored.folder,
        maximumAddedShare: settings.describing?.maximumAddedShare ?? ADDED_SHARE,
        maximumCost: settings.describing?.maximumCost,
        pace: (await voicePace(given.narrator, settings.language, context.signal)) ?? 1,
        rehearse: (descriptions, signal) => rehearse({ ...fits, descriptions }, voice, signal),
      },
      context.signal,
      context.onDescribed,
    ),
  );
  return { describer: describer.name, ...written };
}

function noPicture(): JobFailure {
  return new JobFailure(
    "no_video_stream",
    "The video shows nothing: its picture is black throughout. Do not retry with the same media.",
  );
}

/** Pixels that a picture has in each direction at least: less shows nothing, and encoders fail at it. */
const LEAST_PIXELS = 8;

function refuseTinyPicture({ picture }: MediaProbe): void {
  if (picture === null || Math.min(picture.width, picture.height) >= LEAST_PIXELS) return;
  throw new JobFailure(
    "no_video_stream",
    `The picture has ${picture.width} × ${picture.height} pixels, and shows nothing. Use a video of at least ${LEAST_PIXELS} × ${LEAST_PIXELS}.`,
  );
}
