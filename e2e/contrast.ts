import type { Page } from '@playwright/test'
import {
  COLORS,
  CONTENT_SKINS,
  HEADER_SKINS,
  NAV_MENUS,
  NAV_SKINS,
  SCHEMES,
} from '../apps/web/src/ui/theme.ts'

/**
 * Computes, for every look there is, the contrast of each text token on the surfaces it is used on.
 * @returns the pairs below the 4.5 that small text needs, with the look in which they are
 */
export function faintTexts(page: Page): Promise<string[]> {
  const choices = { COLORS, CONTENT_SKINS, HEADER_SKINS, NAV_MENUS, NAV_SKINS, SCHEMES }
  return page.evaluate<string[]>(`(${inPage})(${JSON.stringify(choices)})`)
}

/** As text: it runs in the page, and reads colours as the browser has computed them. */
const inPage = `({ COLORS, CONTENT_SKINS, HEADER_SKINS, NAV_MENUS, NAV_SKINS, SCHEMES }) => {
  const READABLE = 4.5
  const root = document.documentElement
  // Without the page itself a change of look costs a twentieth.
  document.getElementById('root').style.display = 'none'
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.transition = 'none'
  const style = getComputedStyle(probe)
  const wear = (name, value) => root.setAttribute('data-' + name, value)
  const of = (token) => {
    probe.style.color = 'var(' + token + ')'
    const [red, green, blue, alpha = 1] = style.color.match(/[\\d.]+(e-?\\d+)?/g).map(Number)
    const unit = style.color.startsWith('color(') ? 1 : 255
    return { rgb: [red, green, blue].map((part) => part / unit), alpha }
  }
  const over = (top, ground) => ({
    rgb: top.rgb.map((part, at) => part * top.alpha + ground.rgb[at] * (1 - top.alpha)),
    alpha: 1,
  })
  const luminance = ({ rgb }) => {
    const [red, green, blue] = rgb.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (text, ground) => {
    const [dark, light] = [luminance(over(text, ground)), luminance(ground)].sort((one, other) => one - other)
    return (light + 0.05) / (dark + 0.05)
  }
  const found = []
  const check = (look, text, ground, name) => {
    const value = contrast(of(text), ground)
    if (!(value >= READABLE)) found.push([...look, text + ' on ' + name, value.toFixed(2)].join(' '))
  }
  for (const scheme of SCHEMES) for (const color of COLORS) for (const skin of CONTENT_SKINS) {
    wear('color-scheme', scheme), wear('theme', color), wear('content-skin', skin)
    const look = [scheme, color, skin]
    const tinted = skin === 'creative'
    const page = tinted ? over(of('--page-tint'), of('--page')) : of('--page')
    const grounds = ['--page', '--card', '--raised'].map((name) => [name, of(name)])
    for (const [name, ground] of grounds) {
      check(look, '--accent-text', over(of('--accent-soft'), ground), 'accent tint on ' + name)
      for (const status of ['--ok', '--bad', '--wait', '--note'])
        check(look, status, over(of(status + '-soft'), ground), 'its tint on ' + name)
    }
    if (tinted) grounds.push(['tinted page', page], ['tinted card', over(of('--card-tint'), of('--card'))])
    for (const [name, ground] of grounds)
      for (const text of ['--text', '--muted', '--faint', '--ok', '--bad', '--wait', '--note', '--accent-text'])
        check(look, text, ground, name)
    check(look, '--on-accent', of('--accent'), 'accent')
    for (const nav of NAV_SKINS) for (const menu of NAV_MENUS) {
      wear('nav-skin', nav), wear('nav-menu', menu)
      for (const ground of [over(of('--nav-fill'), page), of('--nav-solid')]) {
        const card = over(of('--nav-card'), ground)
        const uses = [
          ['--nav-muted', ground, 'the navigation'],
          ['--nav-text', ground, 'the navigation'],
          ['--nav-text', over(of('--nav-hover'), ground), 'a hovered link'],
          ['--nav-muted', card, 'the card'],
          ['--nav-text', card, 'the card'],
          ['--nav-text', over(of('--nav-hover'), card), 'a hovered tile'],
          ['--nav-active-text', over(of('--nav-active-fill'), ground), 'the current link'],
        ]
        for (const use of uses) check([...look, nav, menu], ...use)
      }
    }
    for (const header of HEADER_SKINS) {
      wear('header-skin', header)
      const ground = of('--head-fill')
      check([...look, header], '--head-text', ground, 'the header')
      check([...look, header], '--head-muted', ground, 'the header')
      check([...look, header], '--head-text', over(of('--head-hover'), ground), 'a hovered button')
    }
  }
  probe.remove()
  document.getElementById('root').style.display = ''
  return found
}`
