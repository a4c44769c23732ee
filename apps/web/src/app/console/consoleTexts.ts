import type { ResourceKey } from 'i18next'
import { language } from '../../api/language.ts'
import { addTexts } from '../i18n.ts'

const files = import.meta.glob<ResourceKey>('../../console/**/locales/*.json', { import: 'default' })

/** Loads the texts of the whole console: `console/reserves` and its like. Only operators' browsers know where they are. */
export async function loadConsoleTexts(): Promise<void> {
  const own = Object.entries(files).filter(([path]) => path.endsWith(`/${language}.json`))
  await Promise.all(
    own.map(async ([path, load]) => addTexts(path.replace(/^(\.\.\/)+|\/locales\/.*$/g, ''), await load())),
  )
}
