import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { query, queryOne } from '../../../core/query.sql.ts'
import type { Counted } from './guesses.rules.ts'

/** A level as it is by now. */
const decayed = (now: Date) => sql`kept.level * power(0.5, least(1000,
  greatest(0, extract(epoch FROM ${now}::timestamptz - kept.at)::float8 / want.halves_every)))`

export interface TakenGuess {
  /** Whether it was counted, and may be compared. */
  readonly allowed: boolean
  /** Of the fullest of what is counted: its level over its limit, and the seconds in which that halves. */
  readonly fullness: number
  readonly halvesEvery: number
}

/**
 * Counts a guess before anything is compared, so that a hundred at once count as a hundred. One that is refused is not counted, and
 * in the middle of an attack writes nothing.
 * @param guess.proven a guess with a proof of work is counted and never refused
 */
export async function takeGuess(
  db: Db,
  guess: { readonly counted: readonly Counted[]; readonly proven: boolean; readonly mostFull: number },
  now: Date,
): Promise<TakenGuess> {
  const { counted, proven, mostFull } = guess
  const row = await queryOne<{ before: number; halves_every: number; overtaken: boolean; taken: boolean }>(
    db,
  )`WITH want AS (
      SELECT * FROM unnest(${counted.map(({ subject }) => subject)}::text[],
        ${counted.map(({ limit }) => limit.points)}::float8[],
        ${counted.map(({ limit }) => limit.seconds)}::float8[]) AS want (subject, most, halves_every)),
    seen AS (
      SELECT coalesce(${decayed(now)}, 0) / want.most AS fullness, want.halves_every
      FROM want LEFT JOIN guess_level kept ON kept.subject = want.subject
      ORDER BY 1 DESC LIMIT 1),
    -- In one order for everybody, so that no two wait for each other.
    taken AS (
      INSERT INTO guess_level AS kept (subject, level, at)
      SELECT want.subject, 1, ${now} FROM want, seen WHERE ${proven} OR seen.fullness < 1 ORDER BY want.subject
      ON CONFLICT (subject) DO UPDATE SET at = greatest(kept.at, ${now}),
        level = (SELECT least(${mostFull} * want.most, 1 + ${decayed(now)}) FROM want WHERE want.subject = kept.subject)
      RETURNING subject, level)
    SELECT seen.fullness AS before, seen.halves_every, EXISTS (SELECT FROM taken) AS taken,
      EXISTS (SELECT FROM taken JOIN want USING (subject) WHERE taken.level >= want.most + 1) AS overtaken
    FROM seen`
  const allowed = row.taken && (proven || !row.overtaken)
  return { allowed, fullness: row.before, halvesEvery: row.halves_every }
}

/** Takes a counted guess back: the password was right, or was not compared. */
export async function untakeGuess(db: Db, subjects: readonly string[]): Promise<void> {
  await query(db)`UPDATE guess_level SET level = greatest(level - 1, 0) WHERE subject IN (
    SELECT subject FROM guess_level WHERE subject = ANY(${subjects}::text[]) ORDER BY subject FOR UPDATE)`
}

/** @returns how many, at most `limit` */
export async function deleteOldLevels(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await query(db)`DELETE FROM guess_level WHERE subject IN (
    SELECT subject FROM guess_level WHERE at < ${before} ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AND at < ${before}
    RETURNING 1`
  return rows.length
}

/** Counts of calls whose time is over. @returns how many, at most `limit` */
export async function deleteEndedCounts(db: Db, now: Date, limit: number): Promise<number> {
  const ended = sql`expire < ${BigInt(now.getTime())}::bigint`
  const rows = await query(db)`DELETE FROM call_count WHERE ${ended} AND key IN (
    SELECT key FROM call_count WHERE ${ended} ORDER BY expire LIMIT ${limit}) RETURNING 1`
  return rows.length
}
