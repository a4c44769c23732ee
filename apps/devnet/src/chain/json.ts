/** JSON with exact 64-bit integers, as java-tron writes it: a bigint becomes a plain number of any length. */
export type Json =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${writeJson(field)}`)
  return `{${fields.join(',')}}`
}
