import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import type { CardTexts } from './chart/cards.ts'
import { isActive, isVacant, PAGE_LIMIT, PAGE_STEP } from './plot.ts'

/** @param isRead nobody is invited to a vacant place */
export function useCardTexts(isRead = false): CardTexts {
  const { t } = useTranslation('genealogy/tree')
  return useMemo(
    () => ({
      noName: t('noName'),
      invite: isRead ? '' : t('vacant.invite'),
      vacant: (leg) => (leg === null ? t('vacant.place') : t(`vacant.place${leg}`)),
      more: (missing) => t('more.some', { count: Math.min(PAGE_STEP, missing) }),
      all: (missing) =>
        missing > PAGE_LIMIT
          ? t('more.upTo', { limit: formats.count(PAGE_LIMIT) })
          : t('more.all', { count: missing, number: formats.count(missing) }),
      amount: (amount) => `${formats.points(amount)} USD`,
      count: (count) => formats.count(count),
      who: (item, leg, missing) => {
        if (item.kind === 'more')
          return t('spoken.people', { count: missing, number: formats.count(missing) })
        if (item.kind === 'vacant' || isVacant(item))
          return leg === null ? t('vacant.place') : t(`vacant.place${leg}`)
        const { name, username, plan_name: invested } = item.node
        return `${name === '' ? username : name} · ${formats.points(invested)} USD · ${t(isActive(item.node) ? 'active' : 'inactive')}`
      },
      state: (active) => t(active ? 'active' : 'inactive'),
    }),
    [t, isRead],
  )
}
