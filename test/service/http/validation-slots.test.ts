import { expect, test, vi } from "vitest";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import { ValidationSlots } from "../../../src/service/http/validation-slots.ts";
import type { Database } from "../../../src/service/storage/database.ts";
import { ensureTeam } from "../../../src/service/storage/team-records.ts";
import { startTestService } from "../service-fixture.ts";

const configuration = configurationFrom({ plans: { default: { concurrent_validations: 1 } } }, "/nowhere");

async function service(kind: Database["kind"]) {
  const started = await startTestService();
  // The same records, as several processes would share them.
  const database: Database = { ...started.database, kind };
  const holder = { ...(await ensureTeam(database, "one")), role: "program" } as const;
  const team: Caller = { ...holder, plan: planOfTeam(configuration, "one") };
  return { ...started, database, team };
}

test.each(["embedded", "server"] as const)(
  "a team has as many slots as its plan says, over %s records",
  async (kind) => {
    const { database, team, close } = await service(kind);
    const slots = new ValidationSlots(database);
    const open = Promise.withResolvers<void>();
    const first = slots.with(team, () => open.promise);
    await expect(slots.with(team, async () => "second")).rejects.toMatchObject({ code: "concurrency_limit_exceeded" });
    open.resolve();
    await first;
    expect(await slots.with(team, async () => "third")).toBe("third");
    await expect(slots.with(team, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(await slots.with(team, async () => "fourth")).toBe("fourth");
    await close();
  },
);

test("a slot ends with its process: at once where it had the records alone, else when it is not renewed for 30 s", async () => {
  for (const kind of ["embedded", "server"] as const) {
    const { database, team, close } = await service(kind);
    const ofDead = new ValidationSlots(database);
    const never = ofDead.with(team, () => new Promise(() => undefined));
    never.catch(() => undefined);
    await expect
      .poll(() => ofDead.with(team, async () => "").catch((error) => error.code))
      .toBe("concurrency_limit_exceeded");
    const later = new ValidationSlots(database);
    if (kind === "server") {
      const [row] = await database.query<{ left: number }>(
        "SELECT extract(epoch FROM expires_at - now())::float8 AS left FROM aside.validation",
      );
      expect(row?.left).toBeGreaterThan(20);
      expect(row?.left).toBeLessThanOrEqual(30);
      await database.query("UPDATE aside.validation SET expires_at = now() - interval '1 second'");
    }
    expect(await later.with(team, async () => "free")).toBe("free");
    await close();
  }
});

test("the slots of a process at work are renewed every ten seconds, all of them, and no longer than it works", async () => {
  const { database, team, close } = await service("server");
  const wide = { ...team, plan: { ...team.plan, concurrent_validations: 2 } };
  const slots = new ValidationSlots(database);
  const left = async () =>
    (
      await database.query<{ left: number }>(
        "SELECT round(extract(epoch FROM expires_at - now()))::int AS left FROM aside.validation",
      )
    ).map((row) => row.left);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const open = Promise.withResolvers<void>();
    const working = [1, 2].map(() => slots.with(wide, () => open.promise));
    await expect.poll(async () => (await left()).length).toBe(2);
    await database.query("UPDATE aside.validation SET expires_at = now() + interval '5 seconds'");
    vi.advanceTimersByTime(9_999);
    expect(await left()).toEqual([5, 5]);
    vi.advanceTimersByTime(1);
    expect(await left()).toEqual([30, 30]);
    open.resolve();
    await Promise.all(working);
    expect(await left()).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
    await close();
  }
});
