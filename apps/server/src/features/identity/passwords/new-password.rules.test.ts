import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filterHas, isCommonPassword, makeFilter } from './common-passwords.ts'
import { isSamePassword, lookedUp, OF_PRODUCT, passwordFault } from './new-password.rules.ts'

const words = (list: string) => list.trim().split(/\s+/)

const ana = {
  username: 'ana.paz',
  email: 'ventas@paz.example',
  firstName: 'Ana María',
  lastName: 'Ibáñez',
  host: 'office.acme.example',
}
const nobody = { username: '', email: '', firstName: '', lastName: '', host: 'localhost' }

describe('a new password is not made of the own name, nor of words of this place', () => {
  // In the last the ñ is an n with a tilde of its own.
  it.each(
    words(`
    ana.paz.1990 AnaPaz2026! **anapaz** Ibañez-1990 IBÁÑEZ!! mariaibanez AnaMaria1! ventas2026
    ventas@paz.example Aval2026! aval.aval.aval Tron-USDT-2026 Operador2026! inversión24
    ACME-office1 xibanez99y iba\u0301n\u0303ez77
  `),
  )('%s is refused', (password) => {
    expect(passwordFault(password, ana)).toBe('password_personal')
  })

  it.each([
    'nube-verde-9-tren',
    'ana compra pan rico',
    'el-gato-de-ibáñez-duerme',
    'carnaval-en-julio',
    'mi retiro es en 2051',
    'el tron de la abuela',
    'example2026',
    '1234567890123',
  ])('%s is not', (password) => {
    expect(passwordFault(password, ana)).toBeNull()
  })

  it('of which the page about it has the list', () => {
    const design = readFileSync(new URL('../../../../../../docs/security/design.md', import.meta.url), 'utf8')
    const [, list = ''] = /\n(aval, [^;]+);/.exec(design) ?? []
    expect(list.split(/,\s+/).sort()).toEqual([...OF_PRODUCT].sort())
  })

  it('while no name is known, or it is too short to count', () => {
    expect(passwordFault('!!!!2026', nobody)).toBeNull()
    expect(passwordFault('Li-38-40-x', { ...nobody, firstName: 'Li' })).toBeNull()
    expect(passwordFault('20261990', { ...nobody, username: '2026' })).toBeNull()
    expect(passwordFault('anapaz2026', null)).toBeNull()
  })
})

describe('a new password', () => {
  it.each(['aaaaaaaa', '........', '😀'.repeat(9), 'e\u0301'.repeat(8)])(
    'is more than one character: %s',
    (password) => {
      expect(passwordFault(password, null)).toBe('password_one_character')
    },
  )

  it('is the same however its accents are composed, not in another case', () => {
    expect(isSamePassword('canci\u00f3n', 'cancio\u0301n')).toBe(true)
    expect(isSamePassword('canción', 'Canción')).toBe(false)
  })
})

describe('a common password', () => {
  it.each([
    ['Password1!', 'password1!', 'password'],
    ['SUMMER2024!', 'summer2024!', 'summer'],
    ['word123456', 'word123456', null],
    ['12345678', '12345678', null],
    ['ab123456', 'ab123456', null],
    ['ab12345', 'ab12345', null],
    ['a1b2c3', 'a1b2c3', 'a1b2c'],
    ['cancio\u0301n1', 'canción1', 'canción'],
  ])('%s is looked up as %s and %s', (password, whole, word) => {
    expect(lookedUp(password)).toEqual({ whole, word })
  })

  it.each(
    words(`
    password PASSWORD Password1! P@ssw0rd qwertyuiop Tequiero2024 iloveyou! 12345678 Barcelona10
    abc12345 trustno1 1q2w3e4r
  `),
  )('is refused: %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true)
  })

  it.each(['nube-verde-9-tren', 'elephant-73912284', 'correct-horse', 'xK7#qPz!2mWv'])(
    'is none: %s',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false)
    },
  )

  it('is seen in fewer than one in a thousand others', async () => {
    // Passwords that nobody has: numbers of one odd sequence, written with letters and digits.
    let state = 1n
    const next = () => {
      state = (state * 6364136223846793005n + 1442695040888963407n) % (1n << 64n)
      return `k${state.toString(36)}z`
    }
    const others = Array.from({ length: 50_000 }, (_, index) => `${next()}${index % 2 === 0 ? '' : '19!'}`)
    let wrong = 0
    for (const other of others) wrong += (await isCommonPassword(other)) ? 1 : 0
    expect(wrong).toBeLessThan(others.length / 1000)
  })

  it('is never overlooked by a filter that was made of it', () => {
    const texts = Array.from({ length: 2000 }, (_, index) => `word ${index}`)
    const filter = makeFilter(texts)
    expect(texts.filter((text) => !filterHas(filter, text))).toEqual([])
    expect(filterHas(filter, 'another word')).toBe(false)
  })
})
