import { afterAll, beforeAll, expect, test } from "vitest";
import { uniqueClip } from "../clips.ts";
import { eventually, finished, form, openGate, send, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ concurrent_jobs: 1 });
});
afterAll(() => service.close());

test("whoever asks for one job does not wait for another team's many", async () => {
  const teams = await Promise.all(
    ["many", "one"].map(async (team) => {
      const { key } = await service.app.administration.createKey({ team });
      const media = await send(service.app, key, "POST", "upload_media", form(await uniqueClip()));
      const submit = async (custom_instructions: string): Promise<string> =>
        (
          await send(service.app, key, "POST", "generate_ad_text", {
            media_id: media.body.media_id,
            custom_instructions,
          })
        ).body.job_id;
      return { submit, send: (method: string, path: string) => send(service.app, key, method, path) };
    }),
  );
  const [many, one] = teams;
  if (many === undefined || one === undefined) throw new Error("two teams");
  // The first job holds the only worker until everything is queued.
  const first = await many.submit("gate");
  await eventually(async () =>
    (await many.send("GET", `get_results?job_id=${first}`)).body.status === "processing" ? true : undefined,
  );
  const queued: string[] = [];
  for (let index = 0; index < 5; index++) queued.push(await many.submit(""));
  const single = await one.submit("");
  await openGate(service.dataFolder, first);
  for (const job of queued) await finished(many, job);
  await finished(one, single);
  const order = await service.database.query<{ id: string }>(
    "SELECT id FROM aside.job WHERE id <> $1 ORDER BY started_at",
    [first],
  );
  const ids = order.map(({ id }) => id);
  expect(ids.indexOf(single)).toBeLessThanOrEqual(1);
  expect(ids.filter((id) => id !== single)).toEqual(queued);
});
