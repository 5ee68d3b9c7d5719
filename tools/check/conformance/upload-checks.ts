import * as z from "zod/mini";
import { DIRECT_UPLOAD_MAX_BYTES } from "../../../src/contract/choices.ts";
import { frameBytes, type WaveFormat } from "../../../src/formats/wave/wave-format.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import type { Check, Context } from "./context.ts";
import { must, Skipped } from "./exchange.ts";
import { accepted, Media, Notified, refused, SignedUpload, Submitted } from "./replies.ts";

const UploadStatus = z.looseObject({ upload_status: z.string(), canonical_media_id: z.nullish(z.guid()) });

/** Checks of the four upload endpoints. */
export const UPLOAD_CHECKS: readonly Check[] = [
  {
    title: "a multipart upload becomes media with a length and a rate, and the same bytes exist afterwards",
    async run(context) {
      const media = await context.media();
      must((media.duration_seconds ?? 0) > 0, "the media has no length");
      must((media.frame_rate ?? 0) > 0, "the media has no frame rate");
      const again = await context.exchange.send("POST", "upload_media", { form: context.form() });
      const existing = accepted(again, Media, "a repeated upload");
      must(existing.status === "existing", `a repeated upload has the status "${existing.status}"`);
      must(existing.media_id === media.media_id, "a repeated upload has another media_id");
    },
  },
  {
    title: "a file without picture is 415 no_video_stream",
    async run({ exchange }) {
      const form = new FormData();
      form.set("input", JSON.stringify({ type: "file" }));
      form.set("file", new Blob([silentWave()], { type: "audio/wav" }), "sound.wav");
      refused(await exchange.send("POST", "upload_media", { form }), [415], "a sound file", "no_video_stream");
    },
  },
  {
    title: "a multipart form without its file, or without its input, is 400 invalid_input",
    async run({ exchange }) {
      const form = new FormData();
      form.set("input", JSON.stringify({ type: "file" }));
      refused(await exchange.send("POST", "upload_media", { form }), [400], "a form without a file", "invalid_input");
      const other = new FormData();
      other.set("note", "nothing else");
      refused(
        await exchange.send("POST", "upload_media", { form: other }),
        [400],
        "a form without input",
        "invalid_input",
      );
    },
  },
  {
    title: "a multipart file above 32 MB is refused",
    async run({ exchange }) {
      const form = new FormData();
      form.set("input", JSON.stringify({ type: "file" }));
      form.set("file", new Blob([new Uint8Array(DIRECT_UPLOAD_MAX_BYTES + 1)], { type: "video/mp4" }), "large.mp4");
      refused(await exchange.send("POST", "upload_media", { form }), [400, 403, 413], "a file above 32 MB");
    },
  },
  {
    title: "upload_media refuses a missing and an unknown input type, and an address that is none",
    async run({ exchange }) {
      for (const json of [
        {},
        { input: {} },
        { input: { type: "carrier" } },
        { input: { type: "url", url: "no address" } },
      ]) {
        refused(await exchange.send("POST", "upload_media", { json }), [400], JSON.stringify(json), "invalid_input");
      }
    },
  },
  {
    title: "upload_from_url refuses a missing address, and one that is none",
    async run({ exchange }) {
      for (const json of [{}, { source_url: "no address" }, { source_url: 7 }]) {
        refused(await exchange.send("POST", "upload_from_url", { json }), [400], JSON.stringify(json), "invalid_input");
      }
    },
  },
  {
    title: "upload_from_url makes media of a public address, and finds it again",
    async run({ exchange, options }) {
      if (options.videoUrl === undefined) throw new Skipped("no --video-url was given");
      const json = { source_url: options.videoUrl };
      const first = accepted(await exchange.send("POST", "upload_from_url", { json }), Media, "upload_from_url");
      const second = accepted(await exchange.send("POST", "upload_from_url", { json }), Media, "upload_from_url");
      must(second.status === "existing", `the same address again has the status "${second.status}"`);
      must(first.media_id === second.media_id, "the same address again has another media_id");
    },
  },
  {
    title: "the signed flow: address, PUT, upload_not_ready, notification, verification, generation",
    run: signedFlow,
  },
  {
    title: "notify_upload_complete refuses missing parameters and unknown media",
    async run({ exchange }) {
      const send = (json: unknown) => exchange.send("POST", "notify_upload_complete", { json });
      refused(await send({}), [400], "a notification without parameters", "invalid_input");
      const unknown = { media_id: crypto.randomUUID(), gcs_path: "nowhere" };
      refused(await send(unknown), [400, 403, 404], "a notification of unknown media");
    },
  },
];

async function signedFlow(context: Context): Promise<void> {
  const { exchange, options } = context;
  const { bytes, name } = options.video;
  const json = { input: { type: "signed_url", filename: name, content_type: "video/mp4" } };
  const upload = accepted(await exchange.send("POST", "upload_media", { json }), SignedUpload, "a signed upload");
  const { media_id, gcs_path } = upload;
  const generate = () => exchange.send("POST", "generate_ad_text", { json: { media_id } });
  refused(await generate(), [409], "generation before the upload", "upload_not_ready");
  const put = await fetch(upload.upload_url, {
    method: "PUT",
    headers: { "Content-Type": upload.content_type },
    body: bytes,
  });
  await put.arrayBuffer();
  must(put.status === 200, `the PUT was answered with ${put.status}`);
  const notified = await exchange.send("POST", "notify_upload_complete", { json: { media_id, gcs_path } });
  must(accepted(notified, Notified, "the notification").media_id === media_id, "the notification names another media");
  await verified(context, media_id, gcs_path);
  const job = accepted(await generate(), Submitted, "generation after the verification");
  await context.done(job.job_id);
}

/** Waits for a verification: by its status, or, where there is no such endpoint, by trying generation's refusals. */
async function verified(context: Context, mediaId: string, path: string): Promise<void> {
  const query = new URLSearchParams({ media_id: mediaId, gcs_path: path });
  await context.eventually("the verification to end", async () => {
    const answer = await context.exchange.send("GET", `get_upload_status?${query}`);
    if (answer.status === 404) throw new Skipped("there is no get_upload_status");
    const { upload_status } = accepted(answer, UploadStatus, "the upload status");
    must(upload_status !== "failed", "the verification failed");
    return upload_status === "completed" ? true : undefined;
  });
}

/** A tenth of a second of silence: 16 bits, one channel, 8 kHz. */
function silentWave(): Uint8Array<ArrayBuffer> {
  const format: WaveFormat = { channels: 1, sampleRate: 8_000, encoding: "integer", bits: 16, channelMask: 0 };
  const sampleCount = 800;
  const header = waveHeader({ format, sampleCount });
  const bytes = new Uint8Array(header.length + sampleCount * frameBytes(format));
  bytes.set(header);
  return bytes;
}
