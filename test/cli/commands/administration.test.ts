import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { asideHere, type Ended, startAside } from "../run-aside.ts";

const ADDRESS = /listens on (http:\S+)/;

async function json(ended: Promise<Ended>): Promise<{ readonly code: number | null; readonly value: unknown }> {
  const { code, stdout } = await ended;
  return { code, value: JSON.parse(stdout) };
}

async function statusWith(address: string, key: string): Promise<number> {
  const reply = await fetch(`${address}/enterprise/api/get_results?job_id=x`, { headers: { "X-API-Key": key } });
  return reply.status;
}

describe("aside keys", () => {
  test("AUTH-06 AUTH-07: makes, lists and withdraws keys while the service runs, which heeds them at once", async () => {
    const data = join(await temporaryFolder(), "data");
    const running = startAside(["serve", "--port", "0", "--data", data]);
    const [, address = ""] = await running.shows(ADDRESS);
    await running.shows(/Stop with/);
    const made = await json(
      asideHere(["keys", "create", "--name", "edit suite", "--team", "north", "--data", data, "--json"]),
    );
    const { id, key, team } = made.value as { id: string; key: string; team: string };
    expect(team).toBe("north");
    expect(await statusWith(address, key)).toBe(404);
    const listed = await asideHere(["keys", "list", "--data", data]);
    expect(listed.stdout).toMatch(/^ID +TEAM +MAY +MADE +WITHDRAWN +NAME\n/);
    expect(listed.stdout).toMatch(new RegExp(`^${id} +north +\\S+ +edit suite$`, "m"));
    expect(listed.stdout).not.toContain(key);
    expect(await json(asideHere(["keys", "revoke", id, "--data", data, "--json"]))).toEqual({
      code: 0,
      value: { id, revoked: true },
    });
    expect(await statusWith(address, key)).toBe(401);
    expect((await asideHere(["keys", "revoke", id, "--data", data])).code).toBe(1);
    running.process.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });
});

describe("aside page", () => {
  thoroughTest("gives a link that logs an administrator of a team in, once, while the service runs", async () => {
    const data = join(await temporaryFolder(), "data");
    const running = startAside(["serve", "--port", "0", "--data", data]);
    const [, address = ""] = await running.shows(ADDRESS);
    await running.shows(/Stop with/);
    const { stdout, stderr } = await asideHere(["page", "--url", address, "--team", "north", "--data", data]);
    // What it grants is said beside it, and how to have one film reviewed instead.
    expect(stderr).toMatch(/give it to nobody: .* administrator of team "north" for twelve hours.*page --review FILM/s);
    const review = await asideHere(["page", "--review", "harbour.mp4", "--team", "north", "--data", data]);
    expect([review.code, review.stdout]).toEqual([1, ""]);
    expect(review.stderr).toContain('no finished description of "harbour.mp4"');
    expect((await asideHere(["page", "--reviews", "--data", data])).stdout).toBe("There are no links for reviews.\n");
    expect((await asideHere(["page", "--revoke", "review_0", "--data", data])).code).toBe(1);
    for (const wrong of [
      ["--days", "3"],
      ["--review", "x", "--reviews"],
      ["--review", "x", "--days", "0"],
    ]) {
      expect((await asideHere(["page", ...wrong, "--data", data])).code).toBe(2);
    }
    const link = new URL(stdout.trim());
    expect([link.origin, link.pathname, link.search]).toEqual([address, "/home", ""]);
    const token = link.hash.slice(1);
    expect(stderr).not.toContain(token);
    const logIn = () =>
      fetch(`${address}/home/log-in`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
    const { key, team } = (await (await logIn()).json()) as { key: string; team: string };
    expect(team).toBe("north");
    expect(await statusWith(address, key)).toBe(404);
    expect((await logIn()).status).toBe(401);
    expect((await asideHere(["page", "--url", "ftp://x", "--data", data])).code).toBe(2);
    running.process.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
    // The secret stands nowhere in what the service wrote.
    expect((await running.ended).stderr).not.toContain(token);
  });
});

describe("without a running service", () => {
  let folder: string;
  let data: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    data = join(folder, "data");
  });

  thoroughTest("keys are made and listed all the same", async () => {
    expect((await asideHere(["keys", "list", "--data", data])).stdout).toContain("There are no keys");
    expect((await asideHere(["keys", "create", "--data", data])).stdout).toMatch(
      /^API key \S+ of team local .*: aside_\S+\n$/,
    );
    expect((await json(asideHere(["keys", "list", "--data", data, "--json"]))).value).toMatchObject([
      { team: "local", revokedAt: null },
    ]);
  });

  thoroughTest("jobs are listed, shown, repeated and forgotten, or said not to be there", async () => {
    expect((await asideHere(["jobs", "list", "--data", data])).stdout).toBe("There are no such jobs.\n");
    expect(
      (await json(asideHere(["jobs", "list", "--status", "failed", "--limit", "3", "--data", data, "--json"]))).value,
    ).toEqual([]);
    for (const action of ["show", "watch", "cancel", "retry"]) {
      const unknown = await asideHere([
        "jobs",
        action,
        "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1",
        "--data",
        data,
        "--json",
      ]);
      expect(unknown.code).toBe(1);
      expect(unknown.stderr).toContain("(not_found)");
      expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: "not_found" } });
    }
    expect((await asideHere(["jobs", "purge", "--days", "30", "--data", data])).stdout).toBe("0 jobs are forgotten.\n");
  });
});

test("a worker of its own needs records on a server", async () => {
  const { code, stderr } = await asideHere(["worker", "--data", join(await temporaryFolder(), "data")]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/DATABASE_URL.*\(configuration_invalid\)/);
});

describe("wrong usage ends with 2", () => {
  test.each<[string[], RegExp]>([
    [["keys"], /aside keys create\|list\|revoke/],
    [["keys", "steal"], /not "steal"/],
    [["keys", "revoke"], /aside keys revoke ID/],
    [["keys", "list", "all"], /takes no "all"/],
    [["keys", "revoke", "a", "b"], /takes no "b"/],
    [["jobs", "all"], /aside jobs list\|show\|watch\|cancel\|retry\|purge/],
    [["jobs", "show"], /aside jobs show ID/],
    [["jobs", "list", "--status", "odd"], /--status cannot be "odd"/],
    [["jobs", "list", "--limit", "few"], /--limit must be a whole number/],
    [["jobs", "purge"], /--days 90/],
    [["worker", "now"], /takes no "now"/],
    [["serve", "--log", "loud"], /--log cannot be "loud"/],
  ])("%j", async (args, reason) => {
    const { code, stderr } = await asideHere(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
  });
});
