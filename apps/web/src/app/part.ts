import type { ComponentType } from 'react'
import { type LazyPart, lazyPart } from '../ui/lazyPart.ts'
import { loadTexts } from './i18n.ts'

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
