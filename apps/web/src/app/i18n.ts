import i18next, { type ResourceKey } from 'i18next'
import type { ComponentType } from 'react'
import { initReactI18next } from 'react-i18next'
import { language } from '../api/language.ts'
import { type LazyPart, lazyPart } from '../ui/lazyPart.ts'

/** Every text file is a chunk of its own; only those of the chosen language and the pages visited are loaded. */
const files = import.meta.glob<ResourceKey>(
  ['../features/**/locales/*.json', '../ui/locales/*.json', './locales/*.json'],
  { import: 'default' },
)

/** A namespace is named by its folder: `ui`, and without a prefix what is a feature. */
function fileOf(namespace: string) {
  const folder = namespace === 'app' ? '.' : `../${namespace === 'ui' ? '' : 'features/'}${namespace}`
  return files[`${folder}/locales/${language}.json`]
}

const ready = i18next.use(initReactI18next).init({
  lng: language,
  resources: {},
  ns: [],
  defaultNS: 'app',
  fallbackLng: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
})

/** Loads the texts of a page at the same time as its code, so that neither waits for the other. */
export async function loadTexts(...namespaces: string[]): Promise<void> {
  await Promise.all(
    namespaces.map(async (namespace) => {
      const texts = await fileOf(namespace)?.()
      if (texts !== undefined) await addTexts(namespace, texts)
    }),
  )
}

export async function addTexts(namespace: string, texts: ResourceKey): Promise<void> {
  await ready
  i18next.addResourceBundle(language, namespace, texts)
}

/** A page or a panel as a chunk of its own, together with its texts. */
export function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...namespaces: string[]
): LazyPart<Props> {
  return lazyPart(async () => {
    const [component] = await Promise.all([load(), loadTexts(...namespaces)])
    return { default: component }
  })
}
