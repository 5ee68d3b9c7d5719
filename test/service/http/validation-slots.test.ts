import { expect, test } from "vitest";
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
