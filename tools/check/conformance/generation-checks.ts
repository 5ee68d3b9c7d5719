import { FLAT_TEXT_FORMATS } from "../../../src/contract/choices.ts";
import { readCues } from "../../../src/formats/index.ts";
import { readStatedHeader, waveLength } from "../../../src/formats/wave/read-wave.ts";
import type { Check, Context } from "./context.ts";
import { must, Skipped } from "./exchange.ts";
import { accepted, Deleted, refused, Submitted } from "./replies.ts";

/** Given descriptions, so that the checks cost no model. */
const SCRIPT = "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nA door.\n";

/** Difference in length that a container may make, in seconds. */
const LENGTH_TOLERANCE = 0.25;

/** Wrong values of the configuration, each alone in a request that is right otherwise. */
const WRONG_VALUES: readonly Readonly<Record<string, unknown>>[] = [
  { format: "docx" },
  { language: "xx-XX" },
  { video_category: "Opera" },
  { standard_ad_min_cue_length: 0.74 },
  { standard_ad_min_cue_length: 5.01 },
  { volume_option: "louder" },
  { volume_option: "max", volume_level_db: -10.1 },
  { volume_option: "max", volume_level_db: 0.1 },
  { auto_fit: "perhaps" },
  { custom_captions: { format: "vtt" } },
];

/** Checks of the generation endpoints, of results and of deletion. */
export const GENERATION_CHECKS: readonly Check[] = [
  ...FLAT_TEXT_FORMATS.map(
    (format): Check => ({
      title: `flat text: ${format} comes back as ${format}`,
      async run(context) {
        const { media_id } = await context.media();
        const answer = await context.exchange.send("POST", "generate_ad_text", { json: { media_id, format } });
        const { output } = await context.done(accepted(answer, Submitted, "generate_ad_text").job_id);
        must(output.format === format, `the output has the format "${output.format}"`);
        const { issues } = readCues(output.content, { format });
        must(
          issues.every(({ effect }) => effect !== "dropped"),
          `the ${format} has lines that cannot be read`,
        );
      },
    }),
  ),
  {
    title: "flat text refuses srt, and each value that its enumerations do not have",
    async run(context) {
      const { media_id } = await context.media();
      const wrong = [{ format: "srt" }, { language: "xx-XX" }, { video_category: "Opera" }, { ad_type: "short_ad" }];
      for (const fields of [...wrong, { media_id: "no uuid" }]) {
        const answer = await context.exchange.send("POST", "generate_ad_text", { json: { media_id, ...fields } });
        refused(answer, [400], JSON.stringify(fields), "invalid_input");
      }
    },
  },
  ...(["audio", "video"] as const).map(
    (kind): Check => ({
      title: `${kind}: every value outside its enumeration or bounds is 400 invalid_input`,
      async run(context) {
        const { media_id } = await context.media();
        for (const generation_config of WRONG_VALUES) {
          const json = { input: { type: "media_id", media_id }, generation_config };
          const answer = await context.exchange.send("POST", `generate_ad_${kind}`, { json });
          refused(answer, [400], JSON.stringify(generation_config), "invalid_input");
        }
      },
    }),
  ),
  {
    title: "generation for media that is not there is 404, and without input 400",
    async run({ exchange }) {
      for (const kind of ["text", "audio", "video"]) {
        const json = { input: { type: "media_id", media_id: crypto.randomUUID() } };
        const flat = { media_id: crypto.randomUUID() };
        const answer = await exchange.send("POST", `generate_ad_${kind}`, { json: kind === "text" ? flat : json });
        refused(answer, [404], `generate_ad_${kind} for unknown media`);
        refused(
          await exchange.send("POST", `generate_ad_${kind}`, { json: {} }),
          [400],
          `an empty generate_ad_${kind}`,
          "invalid_input",
        );
      }
    },
  },
  ...(["ad_only", "mixed"] as const).map(
    (audio_track_type): Check => ({
      title: `audio: ${audio_track_type} is a WAV as long as the programme, with its text as srt`,
      async run(context) {
        const config = { audio_track_type, format: "srt", auto_fit: false, description_content: SCRIPT };
        const { job_id } = await context.submit("audio", config);
        const { audio_signed_url: url, output } = await context.done(job_id);
        must(url !== undefined, "a done audio job has no audio_signed_url");
        must(output.format === "srt", `the output has the format "${output.format}"`);
        const bytes = await fetched(url ?? "");
        const reading = readStatedHeader(bytes);
        if (!reading.ok) return must(false, "what audio_signed_url gives is no WAV file");
        const { duration_seconds } = await context.media();
        const difference = Math.abs(waveLength(reading.layout, bytes.length).seconds - (duration_seconds ?? 0));
        must(
          difference < LENGTH_TOLERANCE,
          `the WAV is ${difference.toFixed(2)} s longer or shorter than the programme`,
        );
      },
    }),
  ),
  {
    title: "video: a multipart request is answered by an MP4 and its text as vtt",
    async run(context) {
      const form = context.form({ generation_config: { ad_type: "extended_ad", description_content: SCRIPT } });
      const answer = await context.exchange.send("POST", "generate_ad_video", { form });
      const { video_signed_url: url, output } = await context.done(
        accepted(answer, Submitted, "generate_ad_video").job_id,
      );
      must(url !== undefined, "a done video job has no video_signed_url");
      must(
        output.format === "vtt" && output.content.startsWith("WEBVTT"),
        "the text is not WebVTT, which is the default",
      );
      const head = new TextDecoder("latin1").decode((await fetched(url ?? "")).subarray(4, 8));
      must(head === "ftyp", "what video_signed_url gives is no MP4");
    },
  },
  ...(["text", "video"] as const).map(
    (kind): Check => ({
      title: `generate_ad_${kind}_from_url: refuses a missing address, and takes a public one`,
      async run(context) {
        const path = `generate_ad_${kind}_from_url`;
        refused(
          await context.exchange.send("POST", path, { json: {} }),
          [400],
          "a request without address",
          "invalid_input",
        );
        const { videoUrl } = context.options;
        if (videoUrl === undefined) throw new Skipped("no --video-url was given");
        const json = { source_url: videoUrl, ...(kind === "video" ? { edl_content: SCRIPT, resolution: "Auto" } : {}) };
        await context.done(accepted(await context.exchange.send("POST", path, { json }), Submitted, path).job_id);
      },
    }),
  ),
  {
    title: "get_results needs a job id, and does not know a foreign one",
    async run({ exchange }) {
      refused(await exchange.send("GET", "get_results"), [400], "get_results without job_id", "invalid_input");
      refused(await exchange.send("GET", `get_results?job_id=${crypto.randomUUID()}`), [404], "an unknown job");
    },
  },
  { title: "a done job can be deleted, and is hidden afterwards", run: deletion },
  {
    title: "deleting a job that is not there is refused",
    async run({ exchange }) {
      refused(await exchange.send("DELETE", `jobs/${crypto.randomUUID()}`), [400, 404], "deleting an unknown job");
    },
  },
];

async function deletion(context: Context): Promise<void> {
  const { job_id } = await context.submit("audio", { auto_fit: false, description_content: SCRIPT });
  const early = await context.exchange.send("DELETE", `jobs/${job_id}`);
  // The job may have been quicker; then it is gone by right.
  if (early.status === 200) return;
  refused(early, [400, 403, 404, 409], "deleting a job in progress");
  const { audio_signed_url: url } = await context.done(job_id);
  accepted(await context.exchange.send("DELETE", `jobs/${job_id}`), Deleted, "deleting a done job");
  const after = await context.exchange.send("GET", `get_results?job_id=${job_id}`);
  refused(after, [400, 404, 410], "polling a deleted job");
  const file = await fetch(url ?? "");
  await file.arrayBuffer();
  must(!file.ok, "the result of a deleted job can still be fetched");
}

/** Fetches a result by its link, without a key. */
async function fetched(url: string): Promise<Uint8Array> {
  const reply = await fetch(url);
  must(reply.ok, `the link was answered with ${reply.status}`);
  return new Uint8Array(await reply.arrayBuffer());
}
