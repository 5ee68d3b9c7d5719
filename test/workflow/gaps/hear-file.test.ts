import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { TransferProgress } from "../../../src/core/ports.ts";
import { type HearingProgress, hearFile } from "../../../src/workflow/gaps/look-for-gaps.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";

const FILE = { path: "/sound.wav", filename: "sound.wav", contentType: "audio/wav" };
const SENT = { mediaId: "m", storagePath: "s" };

/** A service that listens; `dropped` is what it was told to remove. `during` happens while it is sent to or listens. */
function listening(during: { send?: () => void; listen?: () => void } = {}, told: readonly TransferProgress[] = []) {
  const dropped: unknown[] = [];
  const progress: HearingProgress[] = [];
  const signals: unknown[] = [];
  const client = {
    longestHeardSeconds: async ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return 600;
    },
    requestSignedUpload: async () => ({ ...SENT, uploadUrl: "u", contentType: "audio/wav" }),
    listen: async (sent: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      during.listen?.();
      return { sent, speech: [[1, 2, 0.9]], music: [[3, 4, 0.8]], silence: [] };
    },
    dropSound: async (sent: unknown) => {
      dropped.push(sent);
      throw new Error("gone already");
    },
  };
  const upload = async ({ onProgress }: { onProgress?: (progress: TransferProgress) => void }) => {
    for (const one of told) onProgress?.(one);
    during.send?.();
    return { status: 200, body: "" };
  };
  const { signal } = new AbortController();
  const transfer = { upload, download: () => Promise.reject(new Error("nothing is fetched")) };
  const hear = (changes: object = {}) =>
    hearFile({ client: { ...client, ...changes } as unknown as Client, transfer, clock: new InstantClock() }, FILE, {
      signal,
      onProgress: (one) => progress.push(one),
    });
  return { dropped, progress, signals, signal, hear };
}

test("what is heard has its times and how sure they are, and how far it is is told in both of its stages", async () => {
  const { hear, dropped, progress, signals, signal } = listening({}, [
    { doneBytes: 5, totalBytes: 20 },
    { doneBytes: 7 },
    { doneBytes: 7, totalBytes: 0 },
  ]);
  expect(await hear()).toEqual({
    speech: [{ start: 1, end: 2, confidence: 0.9 }],
    music: [{ start: 3, end: 4, confidence: 0.8 }],
  });
  expect(progress).toEqual([...[0, 0.25, 0, 0].map((fraction) => ({ stage: "send", fraction })), { stage: "listen" }]);
  expect(signals).toEqual([signal, signal]);
  // It keeps nothing of what it heard: there is nothing to remove.
  expect(dropped).toEqual([]);
});

test.each(["send", "listen"] as const)(
  "what was sent is removed where it breaks off as it is to %s, and that is the error",
  async (stage) => {
    const broken = new Error("broken off");
    const { hear, dropped } = listening({
      [stage]: () => {
        throw broken;
      },
    });
    await expect(hear()).rejects.toBe(broken);
    expect(dropped).toEqual([SENT]);
  },
);

test("nothing is sent, nor removed, where the service does not listen, or gives no address", async () => {
  const deaf = listening();
  expect(await deaf.hear({ longestHeardSeconds: async () => null })).toBeNull();
  expect([deaf.dropped, deaf.progress]).toEqual([[], []]);
  const closed = listening();
  const refused = new Error("no address");
  await expect(closed.hear({ requestSignedUpload: () => Promise.reject(refused) })).rejects.toBe(refused);
  expect(closed.dropped).toEqual([]);
});
