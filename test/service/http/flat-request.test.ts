import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { IDEMPOTENCY_KEY_HEADER } from "../../../src/contract/routes.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes } from "./route-server.ts";

// What a request in its flat form is answered, by a key that its job was accepted by before: nothing is fetched for it.

let fingerprint = "";
const records = recordsOf([
  [/FROM aside.answered_request/, () => [{ fingerprint, jobId: IDS.job, mediaId: IDS.media }]],
]);
const routes = await openRoutes({ database: records });
afterAll(() => routes.close());

test("all of a flat request that has no effect is told, each once", async () => {
  const body = {
    source_url: "https://films.example/a.mp4",
    nobody_knows: 1,
    auto_fit: true,
    volume_level_db: -3,
    language: "en-GB",
  };
  fingerprint = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  const headers = { [IDEMPOTENCY_KEY_HEADER]: "key" };
  const reply = await routes.ask("POST", "generate_ad_video_from_url", { body, headers });
  expect(reply.body).toEqual({
    ...{ job_id: IDS.job, media_id: IDS.media, status: "queued" },
    ignored: ["nobody_knows", "auto_fit", "volume_level_db"],
  });
});
