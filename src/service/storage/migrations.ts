import { type Database, type Queries, ServiceStartError } from "./database.ts";

/** One step of the records' shape. Steps are only ever added, never changed, and only go forward. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** Number of the lock under which one of several starting processes makes the tables while the others wait. */
export const STARTING_LOCK = 7_268_301;

/** Every step, in order. All tables stand in a schema of their own, beside the queue's. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE aside.secret (name text PRIMARY KEY, value text NOT NULL)`,
      `CREATE TABLE aside.team (
        id uuid PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now())`,
      `CREATE TABLE aside.api_key (
        id text PRIMARY KEY,
        team_id uuid NOT NULL REFERENCES aside.team,
        name text NOT NULL,
        hash text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz)`,
      `CREATE TABLE aside.media (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL REFERENCES aside.team,
        arrival text NOT NULL,
        file_name text,
        content_type text,
        storage_key text NOT NULL UNIQUE,
        upload_status text NOT NULL,
        canonical_id uuid REFERENCES aside.media,
        content_hash text,
        size_bytes double precision,
        duration_seconds double precision,
        frame_rate double precision,
        failure_code text,
        failure_message text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now())`,
      // One media per content and team: the others point to it.
      `CREATE UNIQUE INDEX media_content ON aside.media (team_id, content_hash)
        WHERE canonical_id IS NULL AND upload_status = 'completed'`,
      `CREATE INDEX media_open ON aside.media (updated_at) WHERE upload_status IN ('pending_upload', 'processing')`,
      `CREATE TABLE aside.job (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL REFERENCES aside.team,
        media_id uuid NOT NULL REFERENCES aside.media,
        kind text NOT NULL,
        origin text NOT NULL,
        settings jsonb NOT NULL,
        track text NOT NULL,
        resolution text NOT NULL,
        status text NOT NULL,
        turn integer NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        interruptions integer NOT NULL DEFAULT 0,
        lease uuid,
        stage text,
        fraction real,
        content text,
        report jsonb,
        error text,
        message text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        finished_at timestamptz,
        deleted_at timestamptz)`,
      `CREATE INDEX job_open ON aside.job (team_id, turn) WHERE status IN ('queued', 'processing')`,
      `CREATE INDEX job_turn ON aside.job (turn) WHERE started_at IS NOT NULL`,
      `CREATE INDEX job_finished ON aside.job (finished_at) WHERE finished_at IS NOT NULL`,
      `CREATE TABLE aside.artifact (
        job_id uuid NOT NULL REFERENCES aside.job,
        kind text NOT NULL,
        storage_key text NOT NULL UNIQUE,
        content_type text NOT NULL,
        size_bytes double precision NOT NULL,
        PRIMARY KEY (job_id, kind))`,
      // What a job costs its team: reserved on acceptance, spent when done, released when failed.
      `CREATE TABLE aside.usage (
        job_id uuid PRIMARY KEY REFERENCES aside.job,
        team_id uuid NOT NULL REFERENCES aside.team,
        period text NOT NULL,
        minutes double precision NOT NULL,
        state text NOT NULL)`,
      `CREATE INDEX usage_period ON aside.usage (team_id, period)`,
      `CREATE TABLE aside.request_window (
        team_id uuid PRIMARY KEY REFERENCES aside.team,
        started_at double precision NOT NULL,
        used integer NOT NULL)`,
      `CREATE TABLE aside.validation (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL REFERENCES aside.team,
        expires_at timestamptz NOT NULL)`,
      `CREATE INDEX validation_team ON aside.validation (team_id)`,
    ],
  },
  {
    version: 2,
    statements: [
      // Media whose bytes were swept: the row stays for the jobs that name it.
      `ALTER TABLE aside.media ADD COLUMN removed_at timestamptz`,
      `DROP INDEX aside.media_content`,
      `CREATE UNIQUE INDEX media_content ON aside.media (team_id, content_hash)
        WHERE canonical_id IS NULL AND upload_status = 'completed' AND removed_at IS NULL`,
      `CREATE INDEX job_media ON aside.job (media_id)`,
    ],
  },
  {
    version: 3,
    statements: [
      // Where clients send the bytes; what was verified stands elsewhere, out of their reach.
      `ALTER TABLE aside.media ADD COLUMN upload_key text UNIQUE`,
      `UPDATE aside.media SET upload_key = storage_key WHERE arrival = 'signed_url'`,
      `ALTER TABLE aside.artifact ADD COLUMN content_hash text`,
      // Stored objects that no record names, from when they were first seen to when they were last.
      `CREATE TABLE aside.unknown_object (
        key text PRIMARY KEY,
        size_bytes double precision NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now())`,
    ],
  },
  {
    version: 4,
    statements: [
      // Settings hold scripts of megabytes: packing them takes longer than writing them, and polls need one word of them.
      `ALTER TABLE aside.job ALTER COLUMN settings SET STORAGE EXTERNAL`,
      `ALTER TABLE aside.job ADD COLUMN format text GENERATED ALWAYS AS (settings ->> 'format') STORED`,
    ],
  },
  {
    version: 5,
    statements: [
      // What came of requests that carried an idempotency key; forgotten with the job or the media.
      `CREATE TABLE aside.answered_request (
        team_id uuid NOT NULL REFERENCES aside.team,
        endpoint text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        job_id uuid REFERENCES aside.job ON DELETE CASCADE,
        media_id uuid NOT NULL REFERENCES aside.media ON DELETE CASCADE,
        media_status text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (team_id, endpoint, key))`,
      `CREATE INDEX answered_request_age ON aside.answered_request (team_id, created_at)`,
      // Without them, removing a job or a media would look through all keys.
      `CREATE INDEX answered_request_job ON aside.answered_request (job_id)`,
      `CREATE INDEX answered_request_media ON aside.answered_request (media_id)`,
    ],
  },
  {
    version: 6,
    statements: [
      // What is long stands in an object beside the row. A program that looks for it in the row would run jobs without their
      // script and hand out empty results, so it is to find no such column, should it still run.
      `ALTER TABLE aside.job RENAME COLUMN settings TO kept_settings`,
      `ALTER TABLE aside.job RENAME COLUMN content TO kept_content`,
    ],
  },
  {
    version: 7,
    statements: [`ALTER TABLE aside.api_key ADD COLUMN is_administrator boolean NOT NULL DEFAULT false`],
  },
  {
    version: 8,
    statements: [
      // Keys of people who logged in to the page end by themselves; links that log in are used once.
      `ALTER TABLE aside.api_key ADD COLUMN expires_at timestamptz`,
      `CREATE TABLE aside.log_in_link (
        hash text PRIMARY KEY,
        team_id uuid NOT NULL REFERENCES aside.team,
        expires_at timestamptz NOT NULL)`,
      // What the page keeps for a team: results with the words of people, and what is under way.
      `CREATE TABLE aside.page_text (
        team_id uuid NOT NULL REFERENCES aside.team,
        path text NOT NULL,
        content text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (team_id, path))`,
    ],
  },
  {
    version: 9,
    statements: [
      // Codes by which panels elsewhere get a key: one of a team at a time, for minutes.
      `CREATE TABLE aside.pairing_code (
        hash text PRIMARY KEY,
        team_id uuid NOT NULL UNIQUE REFERENCES aside.team,
        wrong_codes_left integer NOT NULL,
        expires_at timestamptz NOT NULL)`,
    ],
  },
  {
    version: 10,
    statements: [
      // Links for reviewing one film. In a table of their own: to a program that knows none of them they are no key at all.
      `CREATE TABLE aside.review_link (
        id text PRIMARY KEY,
        hash text NOT NULL UNIQUE,
        team_id uuid NOT NULL REFERENCES aside.team,
        job_id uuid NOT NULL REFERENCES aside.job ON DELETE CASCADE,
        run_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz)`,
      // Without it, removing a job would look through all links.
      `CREATE INDEX review_link_job ON aside.review_link (job_id)`,
      // Keys that read /metrics and nothing else: theirs is another hash, which an earlier program finds nowhere.
      `ALTER TABLE aside.api_key ADD COLUMN is_for_metrics boolean NOT NULL DEFAULT false`,
    ],
  },
  {
    version: 11,
    statements: [
      // Every request of a job that may be charged: written before it leaves, and after its answer.
      `CREATE TABLE aside.paid_request (
        id uuid PRIMARY KEY,
        job_id uuid NOT NULL REFERENCES aside.job ON DELETE CASCADE,
        team_id uuid NOT NULL REFERENCES aside.team,
        period text NOT NULL,
        kind text NOT NULL,
        state text NOT NULL,
        cost double precision NOT NULL,
        input_tokens double precision,
        output_tokens double precision,
        status integer,
        counts boolean NOT NULL DEFAULT true,
        is_useful boolean,
        reserved_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        judged_at timestamptz)`,
      `CREATE INDEX paid_request_job ON aside.paid_request (job_id)`,
      `CREATE INDEX paid_request_period ON aside.paid_request (team_id, period)`,
    ],
  },
  {
    version: 12,
    statements: [
      // Whether a sum is known at all, which a cost of 0 does not tell, and what the job may cost.
      `ALTER TABLE aside.paid_request ADD COLUMN is_priced boolean NOT NULL DEFAULT false,
        ADD COLUMN ceiling double precision`,
      `UPDATE aside.paid_request SET is_priced = true WHERE cost > 0`,
      // A line that is voiced at once belongs to no job.
      `ALTER TABLE aside.paid_request ALTER COLUMN job_id DROP NOT NULL`,
    ],
  },
];

/**
 * Brings the records to the newest shape. Safe when several processes start at once: one works, the others wait for it.
 *
 * @throws ServiceStartError `records_too_new` when a newer version of this program wrote them.
 */
export async function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await database.exclusively(STARTING_LOCK, () => database.transaction((queries) => bring(queries, migrations)));
}

async function bring(queries: Queries, migrations: readonly Migration[]): Promise<void> {
  await queries.query("CREATE SCHEMA IF NOT EXISTS aside");
  await queries.query(
    `CREATE TABLE IF NOT EXISTS aside.schema_version (
        version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const current = await currentVersion(queries);
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new ServiceStartError(
      "records_too_new",
      `The records have version ${current}, and this program knows versions up to ${newest}. Update the program.`,
    );
  }
  for (const { version, statements } of migrations) {
    if (version <= current) continue;
    for (const statement of statements) await queries.query(statement);
    await queries.query("INSERT INTO aside.schema_version (version) VALUES ($1)", [version]);
  }
}

async function currentVersion(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ version: number | null }>(
    "SELECT max(version) AS version FROM aside.schema_version",
  );
  return row?.version ?? 0;
}
