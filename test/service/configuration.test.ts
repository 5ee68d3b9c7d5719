import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { configurationFrom, planOfTeam, readConfiguration } from "../../src/service/configuration.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

test("OPEN-19: every limit has a stated default", async () => {
  const configuration = await readConfiguration(folder);
  expect(configuration).toMatchObject({ concurrent_jobs: 1, job_attempts: 3, result_link_seconds: 900 });
  expect(planOfTeam(configuration, "anyone")).toEqual({
    name: "default",
    requests_per_minute: 120_000,
    queued_jobs: 500,
    concurrent_validations: 32,
    minutes_per_month: null,
    cost_per_month: null,
    minute_weights: { text: 0.5, audio: 0.75, video: 1 },
    maximum_duration_seconds: 28_800,
    maximum_file_bytes: 100_000_000_000,
    without: [],
  });
});

test("LIM-04 LIM-06: a team has its plan's numbers, and its own before them", () => {
  const configuration = configurationFrom(
    {
      plans: { studio: { queued_jobs: 7, maximum_duration_seconds: 60 } },
      teams: { acme: { plan: "studio", queued_jobs: 9 } },
    },
    folder,
  );
  expect(planOfTeam(configuration, "acme")).toMatchObject({
    name: "studio",
    queued_jobs: 9,
    maximum_duration_seconds: 60,
    concurrent_validations: 32,
  });
  expect(planOfTeam(configuration, "others")).toMatchObject({ name: "default", queued_jobs: 500 });
});

test("the default plan can be changed", () => {
  const configuration = configurationFrom({ plans: { default: { queued_jobs: 1 } } }, folder);
  expect(planOfTeam(configuration, "anyone").queued_jobs).toBe(1);
});

test.each([
  [{ concurrent_jobs: 0 }, "concurrent_jobs is wrong"],
  [{ concurent_jobs: 2 }, 'unknown member "concurent_jobs"'],
  [{ plans: { studio: { queued_jobs: -1 } } }, "plans.studio.queued_jobs is wrong"],
  [{ plans: { studio: { queud_jobs: 1 } } }, 'plans.studio has the unknown member "queud_jobs"'],
  [{ plans: { studio: { without: ["sound"] } } }, "plans.studio.without.0 is wrong"],
  [{ teams: { acme: { plan: "gold" } } }, 'the plan "gold"'],
  [{ teams: { acme: { queued_jobs: "many" } } }, "teams.acme.queued_jobs is wrong"],
  [{ teams: { acme: { quued_jobs: 1 } } }, "teams.acme.quued_jobs is wrong"],
  [[], "the whole is wrong"],
  ["x", "the whole is wrong"],
])("refuses %j by name", (content, message) => {
  expect(() => configurationFrom(content, folder)).toThrow(
    expect.objectContaining({ code: "configuration_invalid", message: expect.stringContaining(message) }),
  );
});

test("reads the file in the data folder, or the one that is named, and says what is wrong with it", async () => {
  const own = await temporaryFolder();
  await writeFile(join(own, "aside.json"), '{"concurrent_jobs": 3}');
  expect((await readConfiguration(own)).concurrent_jobs).toBe(3);
  const named = join(folder, "named.json");
  await writeFile(named, "{");
  await expect(readConfiguration(folder, named)).rejects.toMatchObject({
    code: "configuration_invalid",
    message: expect.stringContaining("no JSON"),
  });
  await expect(readConfiguration(folder, join(folder, "none.json"))).rejects.toMatchObject({
    code: "configuration_invalid",
  });
});
