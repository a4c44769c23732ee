/** Names that claim to be the company, or that stand for something else where they are shown. */
import { skeletonOf, skeletonsOf } from './skeleton.rules.ts'

const wordsOf = (text: string) => text.trim().split(/\s+/)
const skeletonsOfWords = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(skeletonOf))

/** Claims, wherever they stand in a name. */
const CLAIMS = skeletonsOfWords(`
  aval admin admins administrator administrators administrador administradora administradores administracion administration
  operator operators operador operadora operadores support soporte helpdesk
  moderator moderators moderador moderadora moderadores official oficial security seguridad`)
/** Claims where nothing else stands with them: some are people's names, too. */
const COMPANY_WORDS = skeletonsOfWords(`
  ayuda help helpline system systems sistema sistemas staff team equipo service services servicio servicios customer customers
  cliente clientes atencion tecnico tecnica technical tech tesoreria tesorero treasury treasurer compliance cumplimiento
  finance finanzas billing pagos payments retiros withdrawals company empresa contact contacto`)
const BETWEEN = skeletonsOfWords('de del la las el los al the of for and mesa desk central web app')

/** Stand for something else where a username is shown or stored: "None" for an empty place of the tree. */
const NO_USERNAMES = skeletonsOfWords(`
  none null undefined nan anonymous anonimo root api www web http https ftp mail email smtp webmaster postmaster hostmaster
  noreply abuse localhost`)

/** As closed accounts are called. */
const CLOSED = skeletonOf('closed-')

const isCompanyWord = (word: string) => CLAIMS.has(word) || COMPANY_WORDS.has(word)
const isKnown = (word: string) => isCompanyWord(word) || BETWEEN.has(word)

/** With all of the digits around it, one on either side, and none: the 1 of `ava1` is its last letter, that of `admin1` is not. */
function bared(run: string): string[] {
  const {
    before = '',
    word = '',
    after = '',
  } = /^(?<before>\p{N}*)(?<word>.*?)(?<after>\p{N}*)$/su.exec(run)?.groups ?? {}
  const starts = new Set(['', before.slice(-1), before])
  const ends = new Set(['', after.slice(0, 1), after])
  return [...starts].flatMap((start) => [...ends].map((end) => `${start}${word}${end}`))
}

/** The words between signs, and those between signs and digits: `adm1n_2`, `admin4you`. */
function wordsIn(text: string): string[] {
  const runs = text.split(/[^\p{L}\p{M}\p{N}]+/u)
  return [...new Set([...runs.flatMap(bared), ...runs.flatMap((run) => run.split(/\p{N}+/u))])]
}

/** All of it as one word. */
const joined = (text: string) => bared(text.replace(/[^\p{L}\p{M}\p{N}]/gu, ''))

/** Whether it is two known words or more without anything between them, and one of them a claim: `soporteaval`. */
function isCompound(skeleton: string): boolean {
  /** For each length of the beginning: whether it can be read as known words, and with a claim among them. */
  const readable: (null | 'words' | 'claim')[] = ['words']
  for (let end = 1; end <= skeleton.length; end += 1) {
    readable[end] = null
    for (let start = 0; start < end; start += 1) {
      const before = readable[start] ?? null
      const word = skeleton.slice(start, end)
      if (before === null || !isKnown(word)) continue
      if (before === 'claim' || CLAIMS.has(word)) readable[end] = 'claim'
      else readable[end] ??= 'words'
    }
  }
  return readable[skeleton.length] === 'claim'
}

const isClaim = (word: string) =>
  skeletonsOf(word).some((skeleton) => CLAIMS.has(skeleton) || isCompound(skeleton))

/** Whether a person's name claims to be the company: `Aval Soporte`, `Servicio al Cliente`, `S o p o r t e`. */
export function claimsCompany(name: string): boolean {
  if (wordsIn(name).some(isClaim)) return true
  const words = name.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '')
  const are = (test: (skeleton: string) => boolean) => (word: string) => skeletonsOf(word).some(test)
  if (words.every(are(isKnown)) && words.some(are(isCompanyWord))) return true
  return words.every((word) => [...word].length === 1) && joined(name).some(isClaim)
}

/** Whether nobody may register with this username: `admin1`, `soporte_aval`, `None`. */
export function isReservedUsername(username: string): boolean {
  const isReserved = (whole: string) => isClaim(whole) || NO_USERNAMES.has(skeletonOf(whole))
  if (skeletonOf(username).startsWith(CLOSED)) return true
  return claimsCompany(username) || joined(username).some(isReserved)
}
