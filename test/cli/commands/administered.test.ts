import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BACKUP, VERIFY } from "../../../src/cli/commands/backup.ts";
import { JOBS } from "../../../src/cli/commands/jobs.ts";
import { KEYS } from "../../../src/cli/commands/keys.ts";
import { PAGE } from "../../../src/cli/commands/page.ts";
import { SETTINGS_COMMAND } from "../../../src/cli/commands/settings.ts";
import { type Command, type CommandContext, parseArguments } from "../../../src/cli/shell/command.ts";
import { jobsOf } from "../../../src/cli/shell/running-jobs.ts";
import { JOB_STATUSES } from "../../../src/contract/job.ts";
import { NUMBER_PARTS, SETTING_PARTS } from "../../../src/contract/service-settings.ts";
import type { JobSummary } from "../../../src/service/admin/administration.ts";
import { HeldPorts } from "../../panel/held-ports.ts";

const job = (more: Partial<JobSummary> = {}): JobSummary =>
  ({
    id: "job-1",
    team: "north",
    kind: "text",
    status: "done",
    error: null,
    message: null,
    cost: null,
    createdAt: "2026-01-01",
    finishedAt: "2026-01-02",
    fileName: "harbour.mp4",
    stage: null,
    fraction: null,
    ...more,
  }) as JobSummary;
const key = (id: string, more = {}) => ({
  id,
  team: "north",
  createdAt: "2026-01-01",
  revokedAt: null,
  name: `for ${id}`,
  ...more,
});
const link = (id: string) => ({
  id,
  team: "north",
  fileName: null,
  jobId: `of ${id}`,
  createdAt: "2026-01-01",
  expiresAt: "2026-02-01",
  revokedAt: null,
});
const part = (numbers: readonly object[] = []) => ({
  decided_by: "settings",
  values: { a: "1", b: "2" },
  has_key: true,
  state: "Works.",
  numbers,
});
const number = (name: string) => ({
  name,
  value: "1",
  decided_by: "nobody",
  minimum: 1,
  maximum: 2,
  word: null,
  title: name,
  waits_for_start: false,
});
const SETTINGS = Object.fromEntries(
  SETTING_PARTS.map((name) => [name, part(name === "limits" ? [number("one"), number("two")] : [])]),
);

/** What an administration answers, unless a test says otherwise. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  createKey: { id: "key-1", key: "aside_secret", team: "local" },
  listKeys: [key("key-1"), key("key-2", { isForMetrics: true }), key("key-3", { isAdministrator: true })],
  revokeKey: true,
  listJobs: [job(), job({ id: "job-2", error: "no_speech", status: "failed" }), job({ id: "job-3" })],
  showJob: job(),
  cancelJob: "cancelled",
  retryJob: "job-9",
  purgeJobs: 3,
  createLogInLink: "secret-of-link",
  createReviewLink: {
    id: "review_1",
    token: "secret-of-review",
    fileName: null,
    jobId: "job-1",
    expiresAt: "2026-02-01",
  },
  listReviewLinks: [link("review_1"), link("review_2")],
  revokeReviewLink: true,
  backUp: { objects: 3, bytes: 1e6 },
  verifyObjects: { objects: 3, bytes: 1e6, damaged: [] },
  readSettings: SETTINGS,
  changeSettings: SETTINGS,
};

/** Runs a command over an administration that takes its time; how it ended is told when all has been let go of. */
async function run(
  command: Command,
  line: string,
  answers: Readonly<Record<string, unknown>> = {},
  failing?: number,
  isHeld = true,
) {
  const ports = new HeldPorts();
  const asked: string[] = [];
  const [printed, told, shown]: string[][] = [[], [], []];
  const member =
    (name: string) =>
    async (...args: readonly unknown[]) => {
      asked.push([name, ...args.map((one) => JSON.stringify(one))].join(" "));
      const answer = name in answers ? answers[name] : ANSWERS[name];
      return typeof answer === "function" ? answer() : answer;
    };
  const answering = new Proxy({}, { get: (_, name) => (name === "then" ? undefined : member(String(name))) });
  const administration = isHeld ? ports.wrap(answering) : answering;
  const context: CommandContext = {
    output: { print: (text) => void printed?.push(text), tell: (text) => void told?.push(text) },
    screen: { isTTY: true, columns: 200, write: (text) => void shown?.push(text) },
    env: {},
    signal: new AbortController().signal,
    openAdministration: async () =>
      administration as Awaited<ReturnType<NonNullable<CommandContext["openAdministration"]>>>,
  };
  let code: number | null = null;
  const given = parseArguments(
    command,
    line.split(" ").filter((word) => word !== ""),
  );
  const work = async () => {
    code = await command.run(given, context);
  };
  const error = isHeld ? await ports.settlesLast(work, failing) : await work();
  return {
    code: code as number | null,
    error,
    asked,
    printed: printed?.join("\n") ?? "",
    told: told?.join("\n") ?? "",
    shown: shown?.join("") ?? "",
    calls: ports.calls,
    context,
  };
}

const COMMANDS: readonly (readonly [Command, line: string, asked: string, said: RegExp])[] = [
  [
    KEYS,
    "create --name Panel --team north",
    'createKey {"isAdministrator":false,"isForMetrics":false,"name":"Panel","team":"north"}',
    /aside_secret/,
  ],
  [KEYS, "list", "listKeys", /key-1.*key-2.*metrics alone.*key-3.*settings too/s],
  [KEYS, "revoke key-1", 'revokeKey "key-1"', /key-1 is withdrawn/],
  [JOBS, "", "listJobs {}", /job-1.*job-2.*no_speech.*job-3/s],
  [JOBS, "show job-1", 'showJob "job-1"', /job-1.*harbour\.mp4/s],
  [JOBS, "watch job-1", 'showJob "job-1"', /job-1 is done/],
  [JOBS, "cancel job-1", 'cancelJob "job-1"', /cancelled/],
  [JOBS, "retry job-1", 'retryJob "job-1"', /job-9/],
  [JOBS, "purge --days 90", "purgeJobs 90", /3 jobs are forgotten/],
  [PAGE, "--team south", 'createLogInLink {"team":"south"}', /#secret-of-link/],
  [
    PAGE,
    "--review harbour --days 3",
    'createReviewLink {"team":"local","film":"harbour","days":3}',
    /#secret-of-review/,
  ],
  [PAGE, "--reviews", "listReviewLinks", /review_1.*of review_1.*review_2/s],
  [PAGE, "--revoke review_1", 'revokeReviewLink "review_1"', /Taken back: review_1/],
  [BACKUP, "/backups/a", 'backUp "/backups/a"', /3 objects \(1\.0 MB\).*\/backups\/a/],
  [VERIFY, "", "verifyObjects", /3 objects.* 0 not as stored/],
  [SETTINGS_COMMAND, "", "readSettings", /a=1 b=2 key=\(kept\).*limits\.one.*limits\.two/s],
];

describe("a command that administers a service", () => {
  test.each(
    COMMANDS.map(
      ([command, line, asked, said]) => [`aside ${command.name} ${line}`, command, line, asked, said] as const,
    ),
  )(
    "%s: does what it says, and ends the administration before it ends itself, whatever fails",
    async (_, command, line, asked, said) => {
      const ended = await run(command, line);
      expect(ended).toMatchObject({ code: 0, error: null, printed: expect.stringMatching(said) });
      expect([ended.asked[0], ended.calls.at(-1), ended.calls.filter((name) => name === "close")]).toEqual([
        asked,
        "close",
        ["close"],
      ]);
      for (let index = 0; index < ended.calls.length; index++) {
        const failed = await run(command, line, {}, index);
        expect([failed.error instanceof Error, failed.calls.at(-1)]).toEqual([true, "close"]);
      }
    },
  );

  test.each([
    [KEYS, "revoke key-9", { revokeKey: false }],
    [JOBS, "show job-9", { showJob: null }],
    [JOBS, "watch job-9", { showJob: null }],
    [JOBS, "cancel job-9", { cancelJob: "unknown" }],
    [JOBS, "cancel job-9", { cancelJob: "over" }],
    [JOBS, "retry job-9", { retryJob: null }],
    [PAGE, "--review harbour", { createReviewLink: null }],
    [PAGE, "--revoke review_9", { revokeReviewLink: false }],
    [VERIFY, "", { verifyObjects: { objects: 1, bytes: 1, damaged: [{ kind: "media", id: "m", state: "missing" }] } }],
  ] as const)("ends with 1 where what is meant is not there or not as it was: %#", async (command, line, answers) => {
    const { code, printed, told } = await run(command, line, answers);
    expect(code).toBe(1);
    expect(printed + told).not.toBe("");
  });
});

describe("aside settings", () => {
  test("shows every part, and every number of each", async () => {
    const all = Object.fromEntries(SETTING_PARTS.map((name) => [name, part([number(`of_${name}`)])]));
    const { printed } = await run(SETTINGS_COMMAND, "", { readSettings: all });
    for (const name of SETTING_PARTS) expect(printed).toMatch(new RegExp(`^${name} +set +a=1 b=2 key=\\(kept\\)`, "m"));
    for (const name of NUMBER_PARTS) expect(printed).toContain(`${name}.of_${name} `);
  });

  test("resets the part that is named, and no other", async () => {
    for (const name of SETTING_PARTS) {
      const { asked } = await run(SETTINGS_COMMAND, `reset ${name}`);
      expect(asked[0]).toBe(`changeSettings ${JSON.stringify({ [name]: {} })} {"isAddition":false}`);
    }
  });
});

describe("aside verify", () => {
  test("tells everything that is not as it was stored, and how much was compared", async () => {
    const damaged = [
      { kind: "media", id: "m-1", state: "missing" },
      { kind: "result", id: "r-2", state: "damaged" },
    ];
    const { printed } = await run(VERIFY, "", { verifyObjects: { objects: 7, bytes: 2_500_000, damaged } });
    expect(printed).toMatch(/^7 objects \(2\.5 MB\) compared, 2 not as stored\./);
    expect(printed).toMatch(/^media +m-1 +missing$/m);
    expect(printed).toMatch(/^result +r-2 +damaged$/m);
  });
});

describe("aside settings set", () => {
  test("changes every part and value that is named, in one step", async () => {
    const { asked, printed } = await run(
      SETTINGS_COMMAND,
      "set describer.model=m voice.system=Zoe describer.url=http://h/?a=b",
    );
    const changes = { describer: { model: "m", url: "http://h/?a=b" }, voice: { system: "Zoe" } };
    expect(asked[0]).toBe(`changeSettings ${JSON.stringify(changes)} {"isAddition":true}`);
    expect(printed).toMatch(/a=1 b=2/);
  });

  test.each(["", "model=m", "describer.model", "nobody.model=m", "describer.key=secret"])(
    "refuses %j",
    async (words) => {
      const { error } = await run(SETTINGS_COMMAND, `set voice.system=Zoe ${words}`.replace(/^set .* $/, "set"));
      expect(error).toMatchObject({ code: "usage" });
    },
  );
});

describe("aside jobs", () => {
  test("lists those of any status, team and number, and refuses what is none", async () => {
    for (const status of JOB_STATUSES) {
      const { asked } = await run(JOBS, `list --status ${status} --team north --limit 7`);
      expect(asked[0]).toBe(`listJobs ${JSON.stringify({ status, team: "north", limit: 7 })}`);
    }
    for (const line of ["list --status never", "list --limit x", "purge", "purge --days -1", "show", "list more"]) {
      await expect(run(JOBS, line).then(({ error }) => Promise.reject(error))).rejects.toMatchObject({ code: "usage" });
    }
  });

  test("looks at a job that is watched once a second until it has ended, and says how, with what it used", async () => {
    const cost = { requests: 9, useless: 0, unpriced: 0, spent: 0.5, reserved: 0, ceiling: 1 };
    const states = [
      job({ status: "processing", finishedAt: null, stage: "speak", fraction: 0.5, cost }),
      job({ status: "failed", error: "no_speech", message: "Nobody speaks.", cost }),
    ];
    const begun = performance.now();
    const { code, printed, shown, asked, context } = await run(
      JOBS,
      "watch job-1",
      { showJob: () => states.shift() },
      -1,
      false,
    );
    expect(performance.now() - begun).toBeGreaterThan(990);
    expect([code, asked]).toEqual([1, ['showJob "job-1"', 'showJob "job-1"', "close"]]);
    expect(printed).toBe("Job job-1 has failed (no_speech). Nobody speaks. Used: 0.50 for 9 requests.");
    expect(shown).toContain("50 %  speak, 0.50 for 9 requests");
    // Who cancels meanwhile is told how it is stopped.
    expect(jobsOf(context.signal).forced).toContain("aside jobs cancel job-1");
  });

  test("has the same in JSON, and nothing else", async () => {
    const jobs = fc.array(
      fc.constantFrom(...JOB_STATUSES).map((status) => job({ status })),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(jobs, async (listJobs) => {
        expect(JSON.parse((await run(JOBS, "list --json", { listJobs })).printed)).toEqual(listJobs);
      }),
      { numRuns: 10 },
    );
    expect((await run(JOBS, "list", { listJobs: [] })).printed).toBe("There are no such jobs.");
    expect(JSON.parse((await run(JOBS, "retry job-1 --json")).printed)).toEqual({ id: "job-1", repeated_as: "job-9" });
    expect(JSON.parse((await run(JOBS, "cancel job-1 --json", { cancelJob: "over" })).printed).error.code).toBe(
      "job_not_cancellable",
    );
  });
});

test.each([
  ["--review harbour --reviews", "--review and --reviews"],
  ["--review harbour --revoke review_1", "--review and --revoke"],
  ["--reviews --revoke review_1", "--reviews and --revoke"],
])("aside page %s asks for two things, and does neither", async (line, told) => {
  const asked: string[] = [];
  const context = {
    openAdministration: async () => asked.push("opened"),
  } as unknown as CommandContext;
  const given = parseArguments(PAGE, line.split(" "));
  await expect(PAGE.run(given, context)).rejects.toThrow(`${told} do not go together`);
  expect(asked).toEqual([]);
});
