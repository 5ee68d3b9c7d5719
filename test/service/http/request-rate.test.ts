import { expect, test } from "vitest";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import { RequestRate } from "../../../src/service/http/request-rate.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { recordsOf } from "../written-records.ts";

/** Windows of teams, as the records keep them, and a count of requests over them. */
function counting(clock: SetClock) {
  const windows = new Map<unknown, { startedAt: number; used: number }>();
  const records = recordsOf([
    [
      /^INSERT INTO aside.request_window .* VALUES \(\$1, \$2, 0\) ON CONFLICT \(team_id\) DO NOTHING$/,
      ([team, startedAt]) => {
        if (!windows.has(team)) windows.set(team, { startedAt: Number(startedAt), used: 0 });
        return [];
      },
    ],
    [/^SELECT .* WHERE team_id = \$1 FOR UPDATE$/, ([team]) => [windows.get(team)].flatMap((one) => one ?? [])],
    [
      /^UPDATE aside.request_window SET started_at = \$2, used = \$3 WHERE team_id = \$1$/,
      ([team, startedAt, used]) => {
        windows.set(team, { startedAt: Number(startedAt), used: Number(used) });
        return [];
      },
    ],
  ]);
  return { rate: () => new RequestRate(records as never, clock), windows, records };
}

const callerOf = (id: string, requests_per_minute: number): Caller => {
  const plan = planOfTeam(configurationFrom({ plans: { default: { requests_per_minute } } }, "/"), "any");
  return { id, name: id, plan, role: "program" } as unknown as Caller; // what a rate is counted by
};
const refused = { code: "rate_limit_exceeded" };

test.each([1, 49, 50, 100, 149])(
  "a team has its %i requests of a minute, over all processes, and then a new one's",
  async (limit) => {
    const clock = new SetClock(60_000_000);
    const { rate, windows } = counting(clock);
    const [one, other] = [rate(), rate()];
    const team = callerOf("team", limit);
    for (let taken = 0; taken < limit; ) {
      for (const process of [one, other]) {
        const outcome = await process.take(team).catch((error: { code: string }) => error.code);
        if (outcome !== "rate_limit_exceeded") taken++;
        // What goes through was noted before.
        expect(windows.get("team")?.used).toBeGreaterThanOrEqual(taken);
        expect(taken).toBeLessThanOrEqual(limit);
      }
    }
    for (const process of [one, other]) await expect(process.take(team)).rejects.toMatchObject(refused);
    expect(await one.take(callerOf("another", limit))).toMatchObject({ remaining: limit - 1 });
    await clock.pass(59_000);
    await expect(one.take(team)).rejects.toMatchObject({
      ...refused,
      fields: { body: { limit, remaining: 0, reset: 60_060, retry_after: 1 } },
    });
    await clock.pass(1_000);
    expect(await other.take(team)).toEqual({ limit, remaining: limit - 1, reset: 60_120 });
  },
);

test("requests that come at once fetch their portion once, and each is counted", async () => {
  const { rate, records } = counting(new SetClock(60_000_000));
  const process = rate();
  const team = callerOf("team", 500);
  const states = await Promise.all(Array.from({ length: 10 }, () => process.take(team)));
  expect(states.map(({ remaining }) => remaining)).toEqual(Array.from({ length: 10 }, (_, index) => 499 - index));
  expect(records.statements).toHaveLength(3);
});
