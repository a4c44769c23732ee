import { describe, expect, it } from 'vitest'
import { demoNetwork } from '../../demo/demo-network.ts'
import { claimsCompany, isReservedUsername } from './reserved.rules.ts'

const words = (list: string) => list.trim().split(/\s+/)

describe('a username that is reserved', () => {
  it.each(
    words(`
    admin ADMIN administrator administrador support soporte aval operator operadores root system
    sistema security seguridad moderator help ayuda staff official oficial None none NONE null
    undefined api www postmaster
  `),
  )('is %s', (username) => {
    expect(isReservedUsername(username)).toBe(true)
  })

  it.each(
    words(`
    admin1 1admin 2admin2 admin. _admin_ none1 root_99 soporte2026 soporte_aval aval-support
    aval.oficial equipo_aval ana_admin ana.oficial admin4you a.v.a.l s_u_p_p_o_r_t n.o.n.e
  `),
  )('stays so with digits and signs around it: %s', (username) => {
    expect(isReservedUsername(username)).toBe(true)
  })

  it.each(
    words(`
    adm1n adm1n99 AdmIn adrnin s0porte supp0rt n0ne AvaI ava1 \u0430dmin \u0251dmin ádmín sopørte
    ayud\u0430_2 \uff53upport
  `),
  )('stays so when it is made of letters that look the same: %s', (username) => {
    expect(isReservedUsername(username)).toBe(true)
  })

  it.each(['avalsupport', 'soporteaval', 'equipoaval', 'avalteam', 'soportedeaval', 'adminoficial'])(
    'stays so next to another: %s',
    (username) => {
      expect(isReservedUsername(username)).toBe(true)
    },
  )

  it.each(
    words(`
    ana avalos carnaval avalon joe.root nonesuch rooty apiario staffan operand helpful badmin soport
    teamana mail4ana clienta ana.staff m1 member1 mateo
  `),
  )('is not %s', (username) => {
    expect(isReservedUsername(username)).toBe(false)
  })

  it('is none of the demo’s, and nobody there claims to be the company', () => {
    for (const { username, firstName, lastName } of demoNetwork()) {
      expect([username, isReservedUsername(username)]).toEqual([username, false])
      expect([firstName, claimsCompany(`${firstName} ${lastName}`)]).toEqual([firstName, false])
    }
  })

  it('is found in no time, however it is made to be searched', () => {
    for (const text of ['aval'.repeat(15), 'dela'.repeat(15), 'a b '.repeat(15)]) claimsCompany(text)
    expect(claimsCompany('dela'.repeat(15))).toBe(false)
  })
})

describe('a person’s name claims to be the company', () => {
  const CLAIMS = `
    Aval Soporte, Soporte Aval, Support, Administrador, Aval, AVAL S.A., AvalSoporte, Ana Aval,
    Ana (Admin), Operadora Ana, Servicio al Cliente, Mesa de Ayuda, Equipo de Pagos, Help Desk,
    Staff, S o p o r t e, S.o.p.o.r.t.e, Adm1n, Ádmin, \u0410val, \u0405U\u0420\u0420\u041eR\u0422,
    \u0410V\u0410L`
    .split(',')
    .map((name) => name.trim())
  it.each(CLAIMS)('as %s', (name) => {
    expect(claimsCompany(name)).toBe(true)
  })

  it.each([
    ...[
      'María José',
      'O’Brien',
      'Nguyễn Văn',
      'Björk Guðmundsdóttir',
      'J.P. Morgan',
      'Ana M. de la Cruz',
      'St. John',
    ],
    ...[
      'Ávalos',
      'A. Val',
      'Frank Staff',
      'Joe Root',
      'Ana Mesa',
      'Jennifer Null',
      'None',
      'Socorro',
      'Ana del Valle',
    ],
    ...['Мария Иванова', '李小龙', 'محمد', 'Ana-Sofía', 'de la', '', ' ', '1', '-'],
  ])('but not %j', (name) => {
    expect(claimsCompany(name)).toBe(false)
  })
})
