import type { JobReport } from "../../contract/job.ts";
import type { WordingKind } from "../../contract/wordings.ts";
import type { Cue } from "../../core/cue.ts";
import type { PictureMeasure, SoundMeasure } from "../../core/measures.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings, Voicing } from "../../core/settings.ts";
import type { DetectedSpeech, DetectSpeechOrder } from "../analyse/sound/analyse-sound.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import type { CutOrder, CutReport } from "../ffmpeg/render-cut.ts";
import type { DescribedMovieOrder, MadeMovie } from "../ffmpeg/render-movie.ts";
import type { TaskContext } from "../isolate/message.ts";
import type { LookOrder } from "../measure/look-at-picture.ts";
import type { MeasureOrder } from "../measure/measure-sound.ts";
import type { AdmFileOrder } from "../mix/adm-file.ts";
import type { FitSoundOrder } from "../mix/fit-sound.ts";

/** Every task that runs in a child process: what goes in, what comes out. Both cross a process border: plain data. */
export interface IsolatedTasks {
  /** A video of a programme with its description, from sounds that are finished. */
  readonly addDescription: { readonly input: DescribedMovieOrder; readonly output: MadeMovie };
  /** A programme and its narration as one file with an audio definition. */
  readonly writeAdm: { readonly input: AdmFileOrder; readonly output: undefined };
  /** A sound at the level, rate and bits that its recipient asks for. */
  readonly fitSound: { readonly input: FitSoundOrder; readonly output: undefined };
  /** Where there is speech, music and silence in a sound, or in the sound of a video. */
  readonly detectSpeech: { readonly input: DetectSpeechOrder; readonly output: DetectedSpeech };
  /** Where the picture of a video changes, how light it is, and what stands on it where that is asked for. */
  readonly measurePicture: { readonly input: LookOrder; readonly output: PictureMeasure };
  /** What is heard in a sound, or in the sound of a video, in numbers. */
  readonly measureSound: { readonly input: MeasureOrder; readonly output: SoundMeasure };
  /** Small pictures of moments of a programme; `null` where its key frames are gone. */
  readonly moments: { readonly input: MomentsOrder; readonly output: readonly MomentPicture[] | null };
  /** What a media file holds. Opening a hostile file may crash FFmpeg, which costs this process alone. */
  readonly probe: { readonly input: ProbeOrder; readonly output: MediaProbe };
  /** The cut of a timeline, rendered into one file. */
  readonly renderCut: { readonly input: CutOrder; readonly output: CutReport };
  /** A whole programme, from the file on disk to its descriptions, their sound or a video. */
  readonly describe: { readonly input: ProgrammeOrder; readonly output: ProgrammeResult };
  /** One line, voiced as in a programme; `null` where it has no word to speak. */
  readonly voiceLine: { readonly input: LineOrder; readonly output: VoicedWave | null };
  /** Wordings of one moment by the model in use. */
  readonly wordings: { readonly input: WordingsOrder; readonly output: WordingsMade };
}

/** A file to be looked at, without decoding it. */
interface ProbeOrder {
  readonly path: string;
  /** Which sound track is the programme's, by number, language or title; what the file says of its tracks decides where absent. */
  readonly audioTrack?: string;
}

/** Name of a task. */
export type TaskName = keyof IsolatedTasks;

/** What a module of tasks exports as `TASKS`. */
export type TaskTable = {
  readonly [Name in TaskName]: (
    input: IsolatedTasks[Name]["input"],
    context: TaskContext,
  ) => Promise<IsolatedTasks[Name]["output"]>;
};

/** What is made: description text, its sound, or a video with it. */
export type JobKind = "text" | "audio" | "video";

/** Everything that describing one programme needs: plain data, sent to a child process. */
export interface ProgrammeOrder {
  readonly kind: JobKind;
  readonly settings: DescriptionSettings & VoiceSettings;
  /** Which sound is made, of kind `audio`; ignored by the others. */
  readonly track: TrackKind;
  /** Height of the picture, of kind `video`, or `Auto`; ignored by the others. */
  readonly resolution: string;
  /** The programme on local disk. */
  readonly mediaPath: string;
  /** Folder of this work alone: what is finished of it survives a crash here, and the next try goes on from there. */
  readonly workFolder: string;
  /** Folder of the media: what depends on the programme alone (its analysis) is kept here for the next time. */
  readonly mediaFolder: string;
  /** Folder in which spoken lines are kept by the hash of what they were made from. */
  readonly narrationFolder: string;
}

/** What comes of a programme. */
export interface ProgrammeResult {
  /** The descriptions in the format that was asked for. */
  readonly content: string;
  readonly cues: readonly Cue[];
  /** Files in the work folder that become artifacts, by kind. */
  readonly files: { readonly audio?: string; readonly video?: string; readonly worksheet?: string };
  readonly report: JobReport;
}

/** One line that is to be voiced as in a programme: plain data, sent to a child process. */
export interface LineOrder {
  readonly text: string;
  /** BCP-47 code. */
  readonly language: string;
  /** Name from the voice catalogue. */
  readonly voice: string;
  readonly volume?: VoiceSettings["volume"];
  /** Length of its cue in seconds, which it is spoken to fit; default: it takes as long as it takes. */
  readonly seconds?: number;
  /** Gains of an earlier mix, in dB; default: found from this line alone. */
  readonly kept: Pick<Voicing, "narrationGainDb" | "trackGainDb">;
  /** Folder in which spoken lines are kept. */
  readonly narrationFolder: string;
}

/** A line as it was voiced. */
export interface VoicedWave {
  /** A whole WAV file, as `mixNarration` writes narration alone. */
  readonly wave: Uint8Array;
  /** Length of the speech in seconds. */
  readonly seconds: number;
  /** Relative to the voice's normal rate. */
  readonly rate: number;
  /** Whether it is no longer than was asked for. */
  readonly fits: boolean;
}

/** Wordings that are asked for of one moment of a programme: plain data, sent to a child process. */
export interface WordingsOrder {
  /** For a pause without words, in place of a line that is too long, or of any other line. */
  readonly kind: WordingKind;
  /** The stretch that is described, in seconds on the programme clock. */
  readonly start: number;
  readonly end: number;
  /** Seconds that a wording may take. */
  readonly seconds: number;
  /** The line as it is; empty for a pause. */
  readonly text: string;
  /** The descriptions before and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The film notes, as text; empty where there are none. */
  readonly notes: string;
  /** BCP-47 code. */
  readonly language: string;
  readonly instructions: string;
  readonly category: string;
  /** Folder of the media, in which earlier work left its analysis, and in which answers are kept. */
  readonly mediaFolder: string;
}

/** What came of asking for wordings; each with the seconds that it takes about. */
export type WordingsMade =
  | {
      readonly kind: "made";
      readonly wordings: readonly { readonly text: string; readonly seconds: number }[];
      /** Who wrote them. */
      readonly model: string;
    }
  | { readonly kind: "no-model" }
  | { readonly kind: "pictures-gone" };

/** Small pictures of moments of a programme: plain data, sent to a child process. */
export interface MomentsOrder {
  /** Folder of the media, in which earlier work left its analysis. */
  readonly mediaFolder: string;
  /** Seconds on the programme clock. */
  readonly at: readonly number[];
  /** Width of the pictures in pixels; smaller ones stay as they are. */
  readonly width: number;
}

/** A small picture and the time that it is of. */
export interface MomentPicture {
  /** The time that was asked for. */
  readonly at: number;
  /** The time of the key frame, in seconds on the programme clock. */
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Uint8Array;
}
