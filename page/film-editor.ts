import type { ServiceClient } from "../panel/session/environment.ts";
import { ServiceError } from "../src/client/errors.ts";
import { sendFile, verifyUpload } from "../src/client/upload.ts";
import { isRequestErrorCode, REQUEST_ERRORS } from "../src/contract/error-codes.ts";
import type { DeskMedia } from "../src/contract/page.ts";
import { frameRate } from "../src/core/frame-rate.ts";
import { withoutEnding } from "../src/core/local-file.ts";
import type { Clock, FileTransfer } from "../src/core/ports.ts";
import { rateFromDecimal } from "../src/core/timecode.ts";
import type { Timeline } from "../src/core/timeline.ts";
import type { Editor } from "../src/host/editor.ts";
import type { ExportedMedia, SequenceInfo } from "../src/host/host.ts";
import { HostError } from "../src/host/host-error.ts";
import type { RunMedia } from "../src/workflow/describe/recovery.ts";
import type { Desk } from "./desk.ts";
import { filmPath, KEPT, type PageFiles } from "./page-files.ts";

/** What is kept of the film on the page: the service has the film itself. */
const CURRENT = `${KEPT}/film.json`;

/** Rate of a film whose own nobody knows: labels alone hang on it. */
const USUAL_RATE = frameRate(25);

/** A film that the service has. */
interface Film {
  readonly mediaId: string;
  readonly sequence: SequenceInfo;
  readonly exported: ExportedMedia;
}

/** What plays the film. */
interface Playhead {
  /** Seconds. */
  get time(): number;
  seek(seconds: number): void;
}

/** What choosing a film takes. */
interface FilmParts {
  readonly client: ServiceClient;
  readonly desk: Desk;
  readonly files: PageFiles;
  readonly transfer: FileTransfer;
  readonly clock: Clock;
  readonly playhead: Playhead;
}

/** One film as the sequence that is described. There is no timeline: nothing is placed. */
export class FilmEditor implements Editor {
  readonly markersPerUndoStep = 1;
  readonly #parts: FilmParts;
  readonly #listeners = new Set<() => void>();
  #film: Film | null = null;

  constructor(parts: FilmParts) {
    this.#parts = parts;
  }

  /** Takes up the film of the last time. */
  async load(): Promise<void> {
    const { files } = this.#parts;
    if ((await files.size(CURRENT)) === null) return;
    // Written by `#keep`, whole or not at all.
    this.#film = JSON.parse(await files.readText(CURRENT)) as Film;
  }

  /** Takes up a film that the service has. */
  async open(mediaId: string): Promise<void> {
    this.#film = filmOf(mediaId, await this.#parts.desk.media(mediaId));
  }

  /** Takes up a film that the service has, now and for the next time. @throws ServiceError where it is gone. */
  async takeUp(mediaId: string): Promise<void> {
    if (this.#film?.mediaId !== mediaId) await this.#keep(filmOf(mediaId, await this.#parts.desk.media(mediaId)));
  }

  async #keep(film: Film): Promise<void> {
    this.#film = film;
    await this.#parts.files.writeText(CURRENT, JSON.stringify(film));
    for (const listener of this.#listeners) listener();
  }

  /** Hands a chosen file to the service, and takes it up as the film. `onProgress` hears the share that is there, 0 to 1. */
  async choose(file: File, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<void> {
    const { files } = this.#parts;
    const path = filmPath(file.name);
    files.addFilm(path, file);
    const contentType = file.type === "" ? "application/octet-stream" : file.type;
    const local = { path, filename: file.name, contentType };
    const sent = await sendFile(this.#parts, local, {
      signal,
      onProgress: ({ doneBytes }) => onProgress(file.size === 0 ? 0 : doneBytes / file.size),
    });
    const verified = await verifyUpload(this.#parts, sent, { signal });
    if (verified.outcome === "failed") {
      const { code: word = "" } = verified;
      const code = isRequestErrorCode(word) ? word : "upload_failed";
      const message = verified.message ?? `"${file.name}" is no film that can be read`;
      throw new ServiceError(code, message, { status: REQUEST_ERRORS[code].status, uploadStatus: "failed" });
    }
    files.addFilm(filmPath(verified.mediaId), file);
    await this.#keep(filmOf(verified.mediaId, await this.#parts.desk.media(verified.mediaId)));
  }

  /** What a run of a film begins with: the service has it. */
  async sentMedia(sequenceId: string): Promise<{ readonly exported: ExportedMedia; readonly media: RunMedia } | null> {
    if (this.#film?.sequence.id !== sequenceId) return null;
    const { exported, mediaId } = this.#film;
    return { exported, media: { mediaId, isVerified: true } };
  }

  async readSequence(): Promise<SequenceInfo> {
    if (this.#film !== null) return this.#film.sequence;
    throw new HostError("no_sequence", "no film was chosen", {
      operation: "look at the film",
      state: "nothing was done",
    });
  }

  async exportSequence(): Promise<ExportedMedia> {
    if (this.#film !== null) return this.#film.exported;
    throw new HostError("no_sequence", "no film was chosen", { operation: "send the film", state: "nothing was sent" });
  }

  async readTimeline(): Promise<Timeline> {
    const { name, rate, isDropFrame, startFrame } = await this.readSequence();
    return { name, rate, isDropFrame, startFrame, tracks: [], markers: [] };
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async movePlayhead(_sequenceId: string, seconds: number): Promise<void> {
    this.#parts.playhead.seek(seconds);
  }

  async playhead(): Promise<number> {
    return this.#parts.playhead.time;
  }

  async restoreRange(): Promise<void> {}

  async readNote(): Promise<null> {
    return null;
  }

  async writeNote(): Promise<void> {}

  async transcribedCaptions(): Promise<null> {
    return null;
  }

  async projectId(): Promise<null> {
    return null;
  }

  async projectFolder(): Promise<null> {
    return null;
  }

  async hasEncoder(): Promise<boolean> {
    return false;
  }

  async presets(): Promise<[]> {
    return [];
  }

  async readLevels(): Promise<[]> {
    return [];
  }

  apply = noTimeline;
  openGaps = noTimeline;
  changeLevels = noTimeline;
  convert = noTimeline;
  importFile = noTimeline;
  copySequence = noTimeline;
  openSequence = noTimeline;
  removeSequence = noTimeline;
}

/** A film as a sequence, from what the service says of it. Labels begin at 0: a file's own beginning is not asked for. */
export function filmOf(mediaId: string, media: DeskMedia): Film {
  const durationSeconds = media.duration_seconds ?? 0;
  const name = withoutEnding(media.file_name ?? mediaId);
  const rate = media.frame_rate === null ? USUAL_RATE : rateFromDecimal(media.frame_rate);
  return {
    mediaId,
    sequence: { id: mediaId, name, rate, isDropFrame: false, startFrame: 0, durationSeconds },
    exported: {
      path: filmPath(mediaId),
      contentType: media.content_type,
      sizeBytes: media.size_bytes ?? 0,
      durationSeconds,
      offsetSeconds: 0,
      // The service has it: it is not asked for here again.
      isTemporary: true,
    },
  };
}

function noTimeline(): Promise<never> {
  return Promise.reject(
    new HostError("apply_failed", "The page has no timeline: place the descriptions in Premiere.", {
      operation: "place",
      state: "nothing was changed",
    }),
  );
}
