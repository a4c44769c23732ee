/**
 * Words that ARCHITECTURE's glossary replaced. A retired word in a name, comment, document or text is a fault, because a second
 * word for one thing is how the first confusion started.
 */
import { isGenerated, type Source } from './sources.ts'

interface Retired {
  readonly pattern: RegExp
  /** The glossary's word. */
  readonly use: string
  /** Paths where the pattern is looked for; everywhere when absent. */
  readonly within?: RegExp
}

const LOCALES = /\/locales\/es(\/\w[\w-]*)?\.json$/
const CODE = /\.(ts|tsx|sql|mjs|cjs)$/

/** Patterns look at names as they are written: `chainTransfer`, `chain_transfer` and `ChainTransfer` are one word. */
const retired: readonly Retired[] = [
  { pattern: /chain_?(transfer|payment|sighting|outflow)s?\b/i, use: 'incoming or outgoing transfer' },
  { pattern: /sighting/i, use: 'unconfirmed transfer' },
  { pattern: /obstacle/i, use: 'delay' },
  { pattern: /payout_?chunk/i, use: 'batch' },
  { pattern: /payment_?booking/i, use: 'outgoing transfer booking' },
  { pattern: /second[ _-]?opinion/i, use: 'independent model' },
  {
    pattern: /secret_?code/i,
    use: 'email code',
    within: /^(apps\/server\/src|db\/migrations)\/(?!.*\.test\.ts$)/,
  },
  { pattern: /\b(bury|buries|buried)\b|\b(bury|buried)[A-Z]/, use: 'expire' },
  { pattern: /\b(each|all)Apart\b/, use: 'a name that says what runs at once' },
  { pattern: /\bStanding_?Tx\b|\bstandingTransaction\b/, use: 'transaction' },
  { pattern: /\b(lend|lends|lending)\b|\bcreateHands\b|\bHANDS\b/, use: 'permit' },
  { pattern: /\btempo\b/i, use: 'interval', within: CODE },
  { pattern: /\bweigh(s|ed|ing)?\b/i, use: 'verify', within: /^apps\/server\/src\/features\// },
  {
    pattern: /\b(type|interface|class) (Asking|Looking|Course|Means|Pen|Parcel|Told|Telling)\b/,
    use: 'a term of the field',
  },
  { pattern: /\b(errand|mortal|sabotage)\b/i, use: 'fixture or harness', within: CODE },
  { pattern: /-(desk|house|door|stage|scene)\.ts\b/, use: 'fixture or harness', within: CODE },
  { pattern: /\bforget(Answers|Expired|Sent|Mail|Sessions)\b|\.forget'/, use: 'purge' },
  { pattern: /\b(deposits|mail|custody)\.sweep\b/, use: 'catch-up' },
  { pattern: /\b[Aa]sociad[oa]s?\b/, use: 'miembro', within: LOCALES },
  { pattern: /\b[Cc]orridas?\b|\b[Ll]otes?\b/, use: 'ejecución de pagos', within: LOCALES },
  { pattern: /\b[Rr]eversar|\b[Rr]eversad/, use: 'revertir', within: LOCALES },
  { pattern: /\b[Ss]egundo factor\b|\b[Dd]os factores\b/, use: 'verificación en dos pasos', within: LOCALES },
  // In a text; names of keys stay.
  { pattern: /": ".*\bpasskeys?\b/i, use: 'llave de acceso', within: LOCALES },
  { pattern: /\b[Hh]uellas? de (la lista|los (datos|pagos))\b/, use: 'hash', within: LOCALES },
  { pattern: /\b[Cc]ualquier cantidad\b|\b[Cc]antidad completa\b/, use: 'monto', within: LOCALES },
]

/** Where the wire contract or the past fixes the word. */
const excused =
  /^docs\/decisions\/|^tools\/checks\/glossary\.ts$|^tools\/(checks|house-rules)\.test\.ts$|^docs\/benchmarks\.md$/
const wireNames = /['"{ .]secret_code\b/g

export function retiredWords(source: Source): readonly string[] {
  if (excused.test(source.path) || isGenerated(source)) return []
  const applying = retired.filter(({ within }) => within === undefined || within.test(source.path))
  const inPath = applying.filter(({ pattern }) => pattern.test(source.path))
  const inText = source.text.split('\n').flatMap((line, index) =>
    applying.flatMap(({ pattern, use }) => {
      const found = pattern.exec(line.replace(wireNames, ''))
      return found === null ? [] : [`${source.path}:${index + 1} says "${found[0]}", retired for ${use}`]
    }),
  )
  return [...inPath.map(({ use }) => `${source.path} is named by a word retired for ${use}`), ...inText]
}
