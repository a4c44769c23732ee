/** Hashes of a run's inputs. */
import { createHash } from 'node:crypto'

/** Hashes of what went in, by section: where two computations differ, the section says in what. */
export type InputHashes = Readonly<Record<string, string>>

export const hashOf = (...parts: (string | NodeJS.ArrayBufferView)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

export const lines = (rows: readonly (readonly (string | bigint | number | boolean)[])[]): string =>
  rows.map((row) => `${row.join('|')}\n`).join('')

/** With amounts as text, exact at any size. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** One hash over all sections, in the order of their names, and over what run it is. */
export function inputHash(
  run: { readonly kind: string; readonly period: string },
  sections: InputHashes,
): string {
  const named = Object.entries(sections).sort(([left], [right]) => (left < right ? -1 : 1))
  return hashOf(`${run.kind}|${run.period}\n`, lines(named))
}
