import { isLocalAddress } from "../../../core/local-address.ts";
import { estimateRun } from "../../../workflow/describe/estimate.ts";
import type { DescribedSource } from "../../source/described-source.ts";
import type { DescribeCall } from "../describe/describe-call.ts";

/** What one description of a batch will take. Names as they are printed. */
export interface ItemEstimate {
  /** `done`: an earlier run made it of the same, so that it takes nothing. */
  readonly state: "waiting" | "done";
  readonly minutes: number;
  /** At the hosted service's list price; 0 for a service on this computer. */
  readonly credits: number;
  /** Size of its video; 0 where nothing leaves this computer, `null` for a cut that is rendered first. */
  readonly upload_bytes: number | null;
  /** Why it cannot be made as it stands; absent where nothing is known to stand in the way. */
  readonly problem?: string;
}

/** Estimates one description before anything is sent. */
export function estimateOf(call: DescribeCall, source: DescribedSource, isDone: boolean): ItemEstimate {
  const { durationSeconds, uploadBytes } = source;
  const isLocal = call.server === undefined || isLocalAddress(call.server.url);
  const kind = call.video !== undefined ? "video" : call.track === "none" ? "text" : "audio";
  const { minutes, credits } = estimateRun({ durationSeconds, kind, sizeBytes: uploadBytes ?? 0, isLocal });
  if (isDone) return { state: "done", minutes, credits: 0, upload_bytes: 0 };
  return { state: "waiting", minutes, credits, upload_bytes: isLocal ? 0 : uploadBytes };
}

/** An item that cannot be made as it stands. */
export function estimateWithout(problem: string): ItemEstimate {
  return { state: "waiting", minutes: 0, credits: 0, upload_bytes: 0, problem };
}

/**
 * What a batch will take, in sentences: how much, what it costs, what leaves this computer.
 *
 * @param mediaOf Path of each item's medium: several descriptions share an upload.
 * @param host Host name of the service; absent for one of this process's own.
 */
export function estimateText(
  items: readonly ItemEstimate[],
  mediaOf: (index: number) => string,
  host: string | undefined,
): string {
  const count = (wanted: (item: ItemEstimate) => boolean) => items.filter(wanted).length;
  const waiting = count(({ state, problem }) => state === "waiting" && problem === undefined);
  const done = count(({ state }) => state === "done");
  const problems = count(({ problem }) => problem !== undefined);
  const sum = (field: "minutes" | "credits") =>
    items.reduce((total, item) => total + (item.state === "done" ? 0 : item[field]), 0);
  const sentTo = new Map(
    items.flatMap((item, index) => (item.upload_bytes === 0 ? [] : [[mediaOf(index), item.upload_bytes] as const])),
  );
  const known = [...sentTo.values()].filter((bytes) => bytes !== null);
  const megabytes = Math.ceil(known.reduce((total, bytes) => total + bytes, 0) / 1e6);
  const rendered = sentTo.size - known.length;
  const credits = sum("credits");
  const lines = [
    `${waiting} to describe, ${sum("minutes").toFixed(1)} minutes in all${done === 0 ? "" : `; ${done} done already`}${problems === 0 ? "" : `; ${problems} cannot be made`}.`,
    credits === 0
      ? "No credits."
      : `About ${credits.toFixed(1)} credits at the hosted service's list price; a service of another kind has its own.`,
    sentTo.size === 0
      ? "No video leaves this computer."
      : `To ${host ?? "the service"} go ${sentTo.size} video${sentTo.size === 1 ? "" : "s"}, each once: ${megabytes} MB${rendered === 0 ? "" : ` and ${rendered} rendered cut${rendered === 1 ? "" : "s"}`}, with their settings, captions and scripts.`,
  ];
  return lines.join(" ");
}
