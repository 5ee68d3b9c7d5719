import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { videoOffer } from "../../../../panel/controllers/deliver/deliver-video.ts";
import { firstDelivery } from "../../../../panel/state/delivery-state.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import type { Result } from "../../../../src/result/result.ts";
import { RECORD_VERSION } from "../../../../src/workflow/describe/recovery.ts";
import { resultWithLine } from "../../../../src/workflow/revoice/voice-line.ts";
import { json } from "../../../fakes/hosted-server.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { movieHeader } from "../../../fakes/premiere/memory-world.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { jobEntry, sessionInMemory } from "../../session-in-memory.ts";
import { bytesOf, manifestIn } from "./delivered.ts";

const FOLDER = "/projects/Harbour_v7 complete";

/** Described, and the view to deliver it open. */
async function opened(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.describe();
  await toDelivery(panel);
  return panel;
}

async function toDelivery(panel: PanelOnDoubles): Promise<void> {
  panel.page().click("tab-deliver");
  await panel.sees("Video with the descriptions in its sound");
}

/** Opens the panel anew, and with it the last result of the sequence. */
async function reopened(panel: PanelOnDoubles): Promise<void> {
  panel.open();
  await panel.sees("Place on timeline");
  await toDelivery(panel);
}

async function deliverVideo(panel: PanelOnDoubles): Promise<void> {
  panel.page().tick("delivery-video", true);
  await expect.poll(() => panel.page().byId("delivery-video").checked).toBe(true);
  await expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);
  panel.page().click("deliver");
}

test("a line that was edited and voiced by itself, and narration on the timeline, are no re-cut: the video is offered", async () => {
  const { session } = sessionInMemory();
  const startedAt = "2026-01-01T00:00:00.000Z";
  const media = { mediaId: "media-1", isVerified: true };
  await session.library.recovery.save({ version: RECORD_VERSION, runId: "run-1", startedAt, name: "Harbour", media });
  const cue = { id: "a", start: 1, end: 3, text: "Ann sits." };
  const { placed, ...described } = placedResult([cue]);
  const piece = { path: "/projects/harbour/aside-a.wav", start: 1, durationSeconds: 2 };
  const spoken = resultWithLine(described, { cue, settings: described.settings, piece, seconds: 2, rate: 1 });
  expect(Object.keys(spoken.pieces ?? {})).toEqual(["a"]);
  const hindrance = async (result: Result) => {
    const review = openReview(result, jobEntry());
    return (await videoOffer(session, review, firstDelivery(review))).hindrance;
  };
  expect(await hindrance(spoken)).toBeNull();
  expect(await hindrance({ ...spoken, placed: { ...placed, clipNames: ["harbour.wav"] } })).toBeNull();
  expect(await hindrance({ ...described, isRecut: true })).toBe("recut");
});

const videosAsked = (panel: PanelOnDoubles) => panel.server.bodies("generateVideo");

test("the service makes the video of the words as they are and the programme that it has; hash and length are in the manifest", async () => {
  const panel = await opened();
  panel.page().click("tab-review");
  await panel.sees("Place on timeline");
  await panel.openCue();
  panel.page().type("cue-text", "Ann sits.");
  await panel.sees("♪ changed");
  await toDelivery(panel);
  await panel.sees("in its own voice: no charge.");
  await deliverVideo(panel);
  await panel.sees(`9 files in ${FOLDER}`);
  const [asked, ...more] = videosAsked(panel);
  expect(more).toEqual([]);
  expect(asked).toMatchObject({
    input: { type: "media_id", media_id: expect.any(String) },
    generation_config: {
      ad_type: "standard_ad",
      auto_fit: false,
      voice: "Achernar",
      description_content: expect.stringMatching(/Ann sits\.(?:.|\n)*She opens a letter\./),
    },
  });
  // One export, one upload: the description's.
  expect(panel.server.stored.size).toBe(1);
  const { files, checks } = manifestIn(panel, FOLDER);
  const video = files.find(({ name }) => name.endsWith(".mp4"));
  const there = bytesOf(panel, `${FOLDER}/${video?.name}`);
  expect(there).toEqual(panel.server.mp4);
  expect(video).toMatchObject({
    bytes: there.length,
    sha256: createHash("sha256").update(there).digest("hex"),
    video: { duration_seconds: 6 },
  });
  expect(checks?.findings.filter(({ rule }) => rule.startsWith("video"))).toEqual([]);
  // The same once more is fetched, not paid again.
  await panel.sees("It is fetched, and not charged again");
  panel.page().click("deliver");
  await panel.sees(`9 files in ${FOLDER} 2`);
  expect(videosAsked(panel)).toHaveLength(1);
});

test("cancelled, and closed while the service works: the order stays, and the next delivery only fetches it", async () => {
  const panel = await opened();
  panel.server.jobStates = Array.from({ length: 1000 }, () => "processing");
  await deliverVideo(panel);
  await panel.sees("The service is making the video");
  panel.page().click("cancel-delivery");
  await panel.sees("The video you ordered is still being made");
  await panel.sees("It is fetched, and not charged again");
  panel.page().click("deliver");
  await panel.sees("The service is making the video");
  panel.close();
  await reopened(panel);
  await panel.sees("It is fetched, and not charged again");
  panel.server.jobStates = [];
  await deliverVideo(panel);
  await panel.sees(`9 files in ${FOLDER}`);
  expect(videosAsked(panel)).toHaveLength(1);
});

test("a service that has lost the programme, or the video, is told of, and nothing is ordered twice unasked", async () => {
  const panel = await opened();
  const gone = () => json({ error: "not_found", message: "No such media." }, 404);
  panel.server.faults.generateVideo = [gone()];
  await deliverVideo(panel);
  await panel.sees("The service no longer has the programme");
  expect([...panel.disk.files.keys()].filter((path) => path.startsWith(`${FOLDER}/`))).toEqual([]);
  panel.page().click("deliver");
  await panel.sees(`9 files in ${FOLDER}`);
  panel.server.faults.getResults = [gone(), gone()];
  panel.page().click("deliver");
  await panel.sees("This video was made, but the service no longer has it.");
  expect(panel.page().byId("deliver").disabled).toBe(true);
  panel.server.faults.getResults = [];
  panel.page().tick("video-again", true);
  await expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);
  panel.page().click("deliver");
  await panel.sees(`9 files in ${FOLDER} 2`);
  expect(panel.server.accepted).toBe(3);
});

test("a video of another length, or with descriptions elsewhere, is kept and said, and a person's narration is not asked of a service", async () => {
  const panel = await opened();
  panel.server.mp4 = movieHeader(3);
  panel.server.vtt = "WEBVTT\n\n00:02.000 --> 00:03.500\nA woman sits at a desk.\n";
  await deliverVideo(panel);
  await panel.sees("is 3.0 s long; the programme has 6.0 s.");
  await panel.sees("In the video these are heard at other times than the texts say.");
  await panel.sees("In the video these are not heard.");
  expect(manifestIn(panel, FOLDER).checks).toMatchObject({ verdict: "fail" });
  panel.page().click("section-delivery-more");
  await expect.poll(() => panel.page().find("human-voice")).not.toBeNull();
  panel.page().tick("human-voice", true);
  await panel.sees("No video: the service would speak it with its own voice.");
  await expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);
  panel.page().click("deliver");
  await panel.sees(`8 files in ${FOLDER} 2`);
  expect(videosAsked(panel)).toHaveLength(1);
});

test("the web preset asks for the video in place of the sounds; a hosted service's price and a doubtful order are said first", async () => {
  const panel = await opened();
  panel.page().type("delivery-preset", "web");
  await expect.poll(() => panel.page().byId("delivery-video").checked).toBe(true);
  await panel.sees("WCAG");
  expect(panel.page().root.textContent).not.toContain("Missing for");
  panel.server.faults.generateVideo = ["break"];
  panel.page().tick("deliver-despite", true);
  await expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);
  panel.page().click("deliver");
  await panel.sees("Nothing was ordered again.");
  panel.close();
  // As if the service were not on this computer.
  for (const [path, bytes] of panel.disk.files) {
    if (!path.endsWith(".job.json")) continue;
    const text = new TextDecoder().decode(bytes).replace(panel.address, "https://api.example.com");
    panel.disk.files.set(path, new TextEncoder().encode(text));
  }
  await reopened(panel);
  await panel.sees("in its own voice: about 0.1 credits.");
  panel.page().tick("delivery-video", true);
  await panel.sees("it is not known whether the service accepted it");
  await panel.sees("Order it again, though it may be charged twice: about 0.1 credits");
  expect(panel.page().byId("deliver").disabled).toBe(true);
  panel.page().tick("video-again", true);
  await expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);
});
