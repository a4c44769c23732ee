import { useTranslation } from 'react-i18next'

/** A tree on its way, in its shape. */
export function Loading() {
  const { t } = useTranslation('genealogy/tree')
  return (
    <div className="tree-loading" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      <span className="skeleton" aria-hidden="true" />
      <div aria-hidden="true">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    </div>
  )
}
