import { basename } from "node:path/posix";
import type { Clock } from "../../core/ports.ts";
import type { TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import { requireRoomFor } from "../storage/disk-room.ts";
import { deadline } from "../system-clock.ts";
import { ArrivingFile, type StoredStream } from "./arriving-file.ts";
import { type FetchRules, openAddress } from "./open-address.ts";
import { type ArrivedFile, checkFileSize } from "./take-in.ts";

/** What fetching videos needs. */
export interface FetchParts {
  readonly rules: FetchRules;
  readonly clock: Clock;
  /** How long one download may take. */
  readonly timeLimitSeconds: number;
  /** Folder of arriving files. */
  readonly incoming: string;
}

/** A video to fetch, as a request names it. */
export interface VideoAddress {
  readonly url: string;
  readonly fileName: string | null;
  /** The request's parameter that holds the address, for messages. */
  readonly parameter: string;
}

/**
 * Fetches a video from a public address to local disk and hands it to `use`; the file is removed afterwards.
 *
 * @throws RequestError `invalid_input` for an address that cannot be fetched, `file_too_large` as soon as it shows.
 */
export async function withFetchedVideo<Result>(
  parts: FetchParts,
  plan: TeamPlan,
  address: VideoAddress,
  signal: AbortSignal,
  use: (file: ArrivedFile) => Promise<Result>,
): Promise<Result> {
  const arriving = await ArrivingFile.in(parts.incoming);
  try {
    const stored = await download(parts, plan, address, signal, arriving);
    const fileName = address.fileName ?? nameIn(address.url);
    return await use({ ...stored, path: arriving.path, fileName, arrival: "url" });
  } finally {
    await arriving.remove();
  }
}

async function download(
  parts: FetchParts,
  plan: TeamPlan,
  { url, parameter }: VideoAddress,
  signal: AbortSignal,
  arriving: ArrivingFile,
): Promise<StoredStream> {
  const over = new AbortController();
  const late = deadline(parts.clock, parts.timeLimitSeconds * 1000, over.signal);
  const either = AbortSignal.any([signal, late]);
  try {
    const reply = await openAddress(url, parameter, parts.rules, either);
    const announced = Number(reply.headers["content-length"] ?? 0);
    try {
      checkFileSize(plan, announced);
      await requireRoomFor(parts.incoming, announced);
      const stored = await arriving.write(reply, plan.maximum_file_bytes);
      if (stored === null) checkFileSize(plan, plan.maximum_file_bytes + 1);
      else if (announced > 0 && stored.sizeBytes !== announced) throw cutShort(parameter);
      else return stored;
    } finally {
      reply.destroy();
    }
    throw new Error("a file above the limit was let through");
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) {
      throw new RequestError(
        "invalid_input",
        `"${parameter}" could not be fetched within ${parts.timeLimitSeconds} s. Upload the file instead.`,
      );
    }
    // What breaks off while bytes arrive is the sender's doing; what the disk refuses is not.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE") throw cutShort(parameter);
    throw error;
  } finally {
    over.abort();
  }
}

function nameIn(url: string): string | null {
  const name = basename(new URL(url).pathname);
  return name === "" ? null : name;
}

function cutShort(parameter: string): RequestError {
  return new RequestError(
    "invalid_input",
    `"${parameter}" broke off before the whole video had arrived. Try again, or upload the file.`,
  );
}
