import { describe, expect, it } from 'vitest'
import { RESET_SETTINGS, START_SETTINGS, themeFrom } from '../../ui/theme.ts'
import { CHOICES, choicesFor } from './choices.ts'
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }

const every = CHOICES.flatMap((choice) => choice.options.map((option) => ({ choice, ...option })))

describe('the choices', () => {
  it('are all that the product has', () => {
    expect(CHOICES.map(({ name, options }) => [name, options.map(({ value }) => value)])).toEqual([
      ['color', ['primary', 'secondary', 'success', 'warning', 'info', 'danger']],
      ['scheme', ['light', 'dark']],
      ['navigation', ['vertical', 'horizontal']],
      ['layout', ['boxed', 'fluid']],
      ['sidenav', ['default', 'compact', 'iconbar', 'full', 'detach', 'fullscreen', 'show-on-hover']],
      ['navSkin', ['light', 'dark', 'brand', 'transparent']],
      ['navMenu', ['soft', 'solid']],
      ['headerSkin', ['light', 'dark']],
      ['contentSkin', ['default', 'smooth', 'shadow', 'border', 'modern', 'creative']],
      ['font', ['public', 'inter']],
    ])
  })

  it.each(every)('$text is written, read again, and survives being stored', ({ choice, value }) => {
    for (const before of [START_SETTINGS, RESET_SETTINGS]) {
      const after = choice.write(before, value)
      expect(choice.read(after)).toBe(value)
      expect(themeFrom(JSON.stringify(after), new URLSearchParams())).toEqual(after)
      for (const other of CHOICES)
        if (other !== choice) expect(other.read(after), other.name).toBe(other.read(before))
    }
  })

  it('leave the settings alone where the value is none of theirs', () => {
    for (const choice of CHOICES) expect(choice.write(START_SETTINGS, 'pink')).toBe(START_SETTINGS)
  })

  it('have no sizes of a sidebar where the navigation is a bar', () => {
    const flat = CHOICES.find(({ name }) => name === 'navigation')?.write(START_SETTINGS, 'horizontal')
    const shown = choicesFor(flat ?? START_SETTINGS).map(({ name }) => name)
    expect(shown).not.toContain('sidenav')
    expect(shown).toHaveLength(CHOICES.length - 1)
  })

  it.each([
    ['es', es],
    ['en', en],
  ])('each have a name in %s', (_language, texts) => {
    for (const { choice, value } of every) {
      const names: Record<string, string> = texts[choice.name]
      expect(names[value], `${choice.name}.${value}`).toBeTypeOf('string')
    }
  })
})
