import { type LocalFile, type SentFile, sendFile, type UploadParts } from "../../client/upload.ts";
import { DOUBTED_BELOW, speechFromCaptions } from "../../core/dialogue.ts";
import { confidentRanges, type Heard } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import type { GivenCaptions } from "../../core/settings.ts";
import { readGivenTexts } from "../describe/given-texts.ts";
import type { FoundSound } from "./gap-map.ts";

/** What tells where somebody speaks in a programme, without anything being sent away or paid. */
export interface GapPorts {
  /** What is said, from the transcripts of the host; `null` where there is none. */
  transcript(): Promise<GivenCaptions | null>;
  /**
   * What is heard, on this computer; `null` where nobody can listen, or need not.
   *
   * @param isNeeded Whether nothing else tells where somebody speaks; music is known to nothing else.
   */
  listen(isNeeded: boolean): Promise<HeardFile | null>;
}

/**
 * Finds where somebody speaks in a programme: by captions, else a transcript, and by what is heard. Captions refine what was
 * heard and never replace it, as in a job; where nobody listened they stand alone.
 *
 * @param programme With captions of it, on its own clock: they go before a transcript.
 * @returns `null` when nothing tells where somebody speaks.
 * @throws WorkflowError `captions_unreadable`.
 */
export async function findSound(
  ports: GapPorts,
  { durationSeconds, captions: given }: { readonly durationSeconds: number; readonly captions?: GivenCaptions },
): Promise<FoundSound | null> {
  const captions = given ?? (await ports.transcript());
  const heard = await ports.listen(captions === null);
  if (captions === null && heard === null) return null;
  const said =
    captions === null
      ? undefined
      : readGivenTexts(
          { captions },
          given === undefined ? {} : { durationSeconds, ...defined({ speech: heard?.speech }) },
        ).captions;
  const music = heard === null ? null : confidentRanges(heard.music);
  return {
    basis: given !== undefined ? "captions" : captions !== null ? "transcript" : "sound",
    durationSeconds,
    speech:
      said === undefined
        ? (heard?.speech ?? []).filter(({ confidence }) => confidence >= DOUBTED_BELOW.alone)
        : speechFromCaptions(heard?.speech ?? [], said, { music: music ?? [] }),
    music,
    // Captions are made by somebody who heard all of it.
    unknown: said === undefined ? (heard?.unknown ?? []) : [],
  };
}

/** What was heard in a file. */
export type HeardFile = Pick<Heard, "speech" | "music" | "unknown">;

/** How far hearing a file is: `send` has a share that is done, `listen` has none. */
export interface HearingProgress {
  readonly stage: "send" | "listen";
  /** 0 to 1. */
  readonly fraction?: number;
}

/** How hearing a file is followed and ended. */
export interface HearingControls {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: HearingProgress) => void;
}

/**
 * Has our own service hear where there is speech and music in a file. No job is made there, and it keeps nothing: what was
 * sent is removed, however this ends. To a service that does not say that it listens nothing is sent.
 *
 * @returns `null` where the service does not listen.
 * @throws What the client raises; the signal's reason when it aborts.
 */
export async function hearFile(
  parts: UploadParts,
  file: LocalFile,
  { signal, onProgress }: HearingControls,
): Promise<HeardFile | null> {
  const { client } = parts;
  if ((await client.longestHeardSeconds({ signal })) === null) return null;
  let begun: SentFile | undefined;
  try {
    onProgress?.({ stage: "send", fraction: 0 });
    const sent = await sendFile(parts, file, {
      signal,
      onAddress: (address) => {
        begun = address;
      },
      onProgress: ({ doneBytes, totalBytes = 0 }) =>
        onProgress?.({ stage: "send", fraction: totalBytes > 0 ? doneBytes / totalBytes : 0 }),
    });
    onProgress?.({ stage: "listen" });
    const { speech, music, unknown = [] } = await client.listen(sent, { signal });
    begun = undefined;
    const ranges = (list: typeof speech) => list.map(([start, end, confidence]) => ({ start, end, confidence }));
    return {
      speech: ranges(speech),
      music: ranges(music),
      ...(unknown.length === 0 ? {} : { unknown: unknown.map(([start, end]) => ({ start, end })) }),
    };
  } finally {
    // Nobody waits for it: what cannot be removed now is removed by the service's next sweep.
    if (begun !== undefined) void client.dropSound(begun).catch(() => undefined);
  }
}
