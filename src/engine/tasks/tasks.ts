import type { PictureMeasure } from "../../core/picture-measure.ts";
import type { SoundMeasure } from "../../core/sound-measure.ts";
import type { DetectedSpeech, DetectSpeechOrder } from "../analyse/sound/detect-speech.ts";
import type { DescribedMovieOrder } from "../ffmpeg/add-description.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-probe.ts";
import type { CutOrder, CutReport } from "../ffmpeg/render-cut.ts";
import type { MadeMovie } from "../ffmpeg/render-movie.ts";
import type { TaskContext } from "../isolate/message.ts";
import type { LookOrder } from "../measure/look-at-picture.ts";
import type { MeasureOrder } from "../measure/measure-sound.ts";
import type { AdmFileOrder } from "../mix/adm-file.ts";
import type { FitSoundOrder } from "../mix/fit-sound.ts";
import type { JobOrder, JobResult } from "./job-order.ts";
import type { LineOrder, VoicedWave } from "./line-order.ts";
import type { MomentPicture, MomentsOrder } from "./moments-order.ts";

/** Every task that runs in a child process: what goes in, what comes out. Both cross a process border: plain data. */
export interface IsolatedTasks {
  /** A video of a programme with its description, from sounds that are finished. */
  readonly "add-description": { readonly input: DescribedMovieOrder; readonly output: MadeMovie };
  /** A programme and its narration as one file with an audio definition. */
  readonly "write-adm": { readonly input: AdmFileOrder; readonly output: undefined };
  /** A sound at the level, rate and bits that its recipient asks for. */
  readonly "fit-sound": { readonly input: FitSoundOrder; readonly output: undefined };
  /** Where there is speech, music and silence in a sound, or in the sound of a video. */
  readonly "detect-speech": { readonly input: DetectSpeechOrder; readonly output: DetectedSpeech };
  /** Where the picture of a video changes, how light it is, and what stands on it where that is asked for. */
  readonly "measure-picture": { readonly input: LookOrder; readonly output: PictureMeasure };
  /** What is heard in a sound, or in the sound of a video, in numbers. */
  readonly "measure-sound": { readonly input: MeasureOrder; readonly output: SoundMeasure };
  /** Small pictures of moments of a programme; `null` where its key frames are gone. */
  readonly moments: { readonly input: MomentsOrder; readonly output: readonly MomentPicture[] | null };
  /** What a media file holds. Opening a hostile file may crash FFmpeg, which costs this process alone. */
  readonly "probe-media": { readonly input: { readonly path: string }; readonly output: MediaProbe };
  /** The cut of a timeline, rendered into one file. */
  readonly "render-cut": { readonly input: CutOrder; readonly output: CutReport };
  /** One whole job, from the programme on disk to the files of its result. */
  readonly "run-job": { readonly input: JobOrder; readonly output: JobResult };
  /** One line, voiced as a job would; `null` where it has no word to speak. */
  readonly "voice-line": { readonly input: LineOrder; readonly output: VoicedWave | null };
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
