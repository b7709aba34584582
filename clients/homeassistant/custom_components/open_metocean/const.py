"""Names that several files share."""

from datetime import timedelta

DOMAIN = "open_metocean"

CONF_PROVIDER = "provider"
CONF_WIND_LIMIT = "wind_limit"
CONF_WAVE_LIMIT = "wave_limit"

#: Centres whose storms are asked for.
PROVIDERS = ["jtwc", "jma"]

#: Defaults of the limits: knots, and metres of significant height.
WIND_LIMIT_KT = 22
WAVE_LIMIT_M = 2

#: The tide changes in minutes. Each time there are three requests.
UPDATE_INTERVAL = timedelta(minutes=15)

#: Hours of the forecast.
FORECAST_HOURS = 120
