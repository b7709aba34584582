// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface components {
    schemas: {
        Point: {
            /** degrees north */
            latitude: number;
            /** degrees east, in the −180..180 convention */
            longitude: number;
            /** from 3 years in the past to 10 days in the future */
            timestamp: string;
        };
        Variable: "current" | "wind" | "gust" | "wave" | "bathy" | "sst" | "extra_wave" | "rain" | "mucape" | "temp" | "cloud" | "pressure";
        PointResult: {
            results: components["schemas"]["PointConditions"][];
            execution_time: string;
            meta?: components["schemas"]["PointMeta"];
        };
        PointConditions: {
            coordinates: {
                latitude: number;
                longitude: number;
                timestamp: string;
            };
            conditions: components["schemas"]["Conditions"];
        };
        Conditions: {
            /** Current, direction to, ° */
            Currents_Direction?: number | null;
            /** Current speed, m/s */
            Currents_Intensity?: number | null;
            /** Wind, direction from, ° */
            Winds_10m_Direction?: number | null;
            /** Wind speed, m/s */
            Winds_10m_Intensity?: number | null;
            /** Gusts, m/s */
            Gust_10m?: number | null;
            /** Waves, direction from, ° */
            Waves_Mean_Direction?: number | null;
            /** Waves, significant height, m */
            Waves_Significant_Height?: number | null;
            /** Waves, mean period, s */
            Waves_Mean_Period?: number | null;
            /** Depth below sea level, m */
            Bathymetry?: number | null;
            /** Sea surface temperature, °C */
            Sea_Surface_Temperature?: number | null;
            /** Swell, direction from, ° */
            Swell_Mean_Direction?: number | null;
            /** Swell, significant height, m */
            Swell_Significant_Height?: number | null;
            /** Swell, mean period, s */
            Swell_Mean_Period?: number | null;
            /** Wind waves, direction from, ° */
            Windwaves_Mean_Direction?: number | null;
            /** Wind waves, significant height, m */
            Windwaves_Significant_Height?: number | null;
            /** Wind waves, mean period, s */
            Windwaves_Mean_Period?: number | null;
            /** Rain, mm/h */
            Precipitation?: number | null;
            /** CAPE, most unstable, J/kg */
            MUCAPE?: number | null;
            /** Air temperature, °C */
            Temperature_2m?: number | null;
            /** Cloud cover, % */
            Cloud_Cover?: number | null;
            /** Pressure, hPa */
            Pressure?: number | null;
        };
        PointMeta: {
            provenance: components["schemas"]["Provenance"][];
            /** points (their positions in the request) without a value, by variable and reason */
            nulls: {
                variable: components["schemas"]["Variable"];
                reason: "land" | "ice" | "out_of_archive" | "out_of_domain" | "missing";
                points: number[];
            }[];
        };
        Provenance: {
            variable: components["schemas"]["Variable"];
            dataset: string;
            source: string;
            model: string;
            /** identifier of the immutable run */
            run: string;
            reference_time: string | null;
            /** of a forecast: seconds from its base time to now, or to the last time that it answered where that is past */
            age_s?: number;
            /** of a forecast that is old, in words */
            notice?: string;
            /** steps that the values are interpolated between */
            valid_times: string[];
            /** how many points it answered */
            points: number;
            wind_method?: "levels" | "power_law" | "10m";
            /** height of the wind, metres above the surface */
            wind_height?: number;
            notes?: string[];
        };
        PointRun: {
            /** base time of the run, UTC */
            reference_time: string;
            variables: {
                variable: components["schemas"]["Variable"];
                source: string;
                model: string;
                /** identifiers of the immutable runs: a cycle may be published in parts */
                runs: string[];
                /** how many of the points it reaches */
                points: number;
                /** how many of them POST /MetOcean answers from it */
                newest_points: number;
                notes?: string[];
            }[];
            /** as of POST /MetOcean, from this run alone; null where it has no value */
            results: components["schemas"]["PointConditions"][];
        };
        BoundingBox: {
            /** [min_latitude, max_latitude], degrees north */
            latitude: [number, number];
            /** [min_longitude, max_longitude], degrees east, in the −180..180 convention; a minimum greater than the maximum crosses the antimeridian */
            longitude: [number, number];
            /** one instant, or the start and the end of a range of at most 31 days */
            timestamp: string | [string, string];
        };
        MapResult: {
            results: components["schemas"]["MapConditions"][];
            execution_time: string;
            meta?: components["schemas"]["MapMeta"];
        };
        MapConditions: {
            coordinates: {
                /** ascending */
                latitude: number[];
                /** west to east; −180..180 also where the box crosses 180 */
                longitude: number[];
                /** a list for a range */
                timestamp: string | string[];
            };
            conditions: {
                /** Current, direction to, ° */
                Currents_Direction?: (number | null)[][] | (number | null)[][][];
                /** Current speed, m/s */
                Currents_Speed?: (number | null)[][] | (number | null)[][][];
                /** Wind, direction from, ° */
                Winds_10m_Direction?: (number | null)[][] | (number | null)[][][];
                /** Wind speed, m/s */
                Winds_10m_Intensity?: (number | null)[][] | (number | null)[][][];
                /** Waves, direction from, ° */
                Waves_Mean_Direction?: (number | null)[][] | (number | null)[][][];
                /** Waves, significant height, m */
                Waves_Significant_Height?: (number | null)[][] | (number | null)[][][];
                /** Waves, mean period, s */
                Waves_Mean_Period?: (number | null)[][] | (number | null)[][][];
            };
        };
        MapMeta: {
            /** the runs that answered; points counts nodes × steps */
            provenance: components["schemas"]["Provenance"][];
            /** how many nodes × steps have no value, by reason; missing is land or ice for variables of the sea */
            nulls: {
                reason: "out_of_archive" | "out_of_domain" | "missing";
                points: number;
            }[];
        };
        EdrLink: {
            href: string;
            rel: string;
            type?: string;
            title?: string;
        };
        Waypoint: {
            /** degrees north */
            latitude: number;
            /** degrees east, in the −180..180 convention */
            longitude: number;
            /**
             * how the waypoint is reached; of the first one ignored
             * @default great_circle
             */
            leg?: "great_circle" | "rhumb";
        };
        /** up to 250 departures */
        Departures: {
            /** the first departure */
            from: string;
            /** departures are until then, included */
            to: string;
            step_hours: number;
        };
        Vessel: {
            kind: "fixed" | "motor" | "sail";
            /** through the water; fixed: always, motor: in calm water. Required for both */
            speed_kt?: number;
            /** motor: speed by significant height and where waves come from (head 0–45° off the bow, bow –90, quarter –135, following –180; linear between the middles of these); a typical one where left out */
            table?: components["schemas"]["MotorTable"];
            /** sail: a polar, TWA\TWS;6;8;10, then a line an angle (qtVlm, OpenCPN, ORC), or below !Expedition a line a wind; either this or polar_name */
            polar?: string;
            /** sail: a generic polar of our own */
            polar_name?: "cruising_10m" | "cruising_14m" | "catamaran_13m";
            /**
             * sail: share of the polar's speed that is sailed
             * @default 0.9
             */
            factor?: number;
            /** sail: speed under motor; without it there is none */
            motor_speed_kt?: number;
            /**
             * sail: the motor runs where sails would make less good
             * @default 3
             */
            motor_below_kt?: number;
            /** natural roll period: adds hints of rolling */
            roll_period_s?: number;
            /** for hints of parametric rolling */
            length_m?: number;
        };
        /** motor: speed by significant height and where waves come from (head 0–45° off the bow, bow –90, quarter –135, following –180; linear between the middles of these); a typical one where left out */
        MotorTable: {
            /** significant heights, ascending from 0 */
            heights_m: number[];
            /** speeds at the heights */
            head_kt: number[];
            /** speeds at the heights */
            bow_kt: number[];
            /** speeds at the heights */
            quarter_kt: number[];
            /** speeds at the heights */
            following_kt: number[];
        };
        PassageLimits: {
            /** true wind, kt; null: not looked at; left out: the default of the vessel's kind */
            wind_kt?: number | null;
            /** gusts, kt; null: not looked at; left out: the default of the vessel's kind */
            gust_kt?: number | null;
            /** apparent wind within 60° of the bow, kt; null: not looked at; left out: the default of the vessel's kind */
            apparent_ahead_kt?: number | null;
            /** significant height of waves within 60° of the bow, m; null: not looked at; left out: the default of the vessel's kind */
            head_sea_m?: number | null;
            /** significant height of waves from 60° to 120° off the bow, m; null: not looked at; left out: the default of the vessel's kind */
            beam_sea_m?: number | null;
            /** significant height of waves from more than 120° off the bow, m; null: not looked at; left out: the default of the vessel's kind */
            following_sea_m?: number | null;
            /** RMS vertical acceleration of a craft that follows the surface, g; null: not looked at; left out: the default of the vessel's kind */
            acceleration_g?: number | null;
            /** current against a wind of at least 11 kt, kt; null: not looked at; left out: the default of the vessel's kind */
            current_against_wind_kt?: number | null;
            /** rain, mm/h; null: not looked at; left out: the default of the vessel's kind */
            rain_mm_h?: number | null;
            /** CAPE, J/kg: thunderstorms; null: not looked at; left out: the default of the vessel's kind */
            cape_j_kg?: number | null;
            /** least distance from the danger area of a tropical storm, km; null: not looked at; left out: the default of the vessel's kind */
            storm_km?: number | null;
        };
        PassageResult: {
            /** one a departure, in the order of time */
            results: components["schemas"]["Plan"][];
            execution_time: string;
            meta: components["schemas"]["PassageMeta"];
        };
        Plan: {
            departure: string;
            /** null where the vessel does not arrive */
            arrival: string | null;
            /** held: by current or calm for a day; too_slow: it needs too many pieces */
            ending: "arrived" | "held" | "too_slow";
            /** where and when the plan ends */
            end: {
                latitude: number;
                longitude: number;
                timestamp: string;
            };
            /** when the wind is first not known; what is not known is not judged */
            no_forecast_from: string | null;
            /** NO: legs cross more than 2 n mi of land in all, beyond a limit, or the vessel cannot make way; CAUTION: a leg touches land, from 80 % of a limit, or something is unknown, of the sea a tenth of the time */
            verdict: "GO" | "CAUTION" | "NO";
            deciding: {
                by: "wind_kt" | "gust_kt" | "apparent_ahead_kt" | "head_sea_m" | "beam_sea_m" | "following_sea_m" | "acceleration_g" | "current_against_wind_kt" | "rain_mm_h" | "cape_j_kg" | "storm_km" | "crosses_land" | "too_slow" | "held" | "current_too_strong" | "no_headway" | "becalmed" | "no_forecast" | "no_sea_data" | "roll" | "storm_without_forecast";
                /** the same as a sentence in English */
                text?: string;
                /** of the quantity, in the unit of the limit's name; of no_sea_data the share of the time */
                value: number | null;
                /** in force */
                limit: number | null;
                /** value over limit, of distances limit over value; at most 10 */
                ratio: number | null;
                /** of crosses_land: position of the leg, from 0 */
                leg?: number;
                piece: number | null;
                at: {
                    latitude: number;
                    longitude: number;
                    timestamp: string;
                };
            } | null;
            /** altitude of the sun at arrival */
            arrival_sun_deg: number | null;
            arrival_light: ("day" | "twilight" | "night") | null;
            totals: {
                distance_nm: number;
                duration_s: number;
                /** mean over ground */
                speed_kt: number | null;
                /** over the time */
                mean_wind_kt: number | null;
                /** true wind */
                max_wind_kt: number | null;
                /** gusts */
                max_gust_kt: number | null;
                /** significant height */
                max_height_m: number | null;
                /** least depth below mean sea level at the middles of the pieces, from a coarse grid: shoals between them are not seen, and it is no clearance; null without pieces */
                min_depth_m: number | null;
                /** over the time */
                mean_acceleration_g: number | null;
                /** of a piece */
                max_acceleration_g: number | null;
                /** of the worst piece */
                comfort: ("comfortable" | "uncomfortable" | "severe" | "dangerous") | null;
                /** the nearest limit of each piece, as value over limit, mean over the time */
                mean_ratio: number | null;
                motor_s: number;
                held_s: number;
                /** without a known wind */
                no_forecast_s: number;
                /** with a known wind, but waves or currents unknown */
                no_sea_data_s: number;
                /** time beyond each limit that is looked at, but that of storms */
                over_limits_s: {
                    wind_kt?: number;
                    gust_kt?: number;
                    apparent_ahead_kt?: number;
                    head_sea_m?: number;
                    beam_sea_m?: number;
                    following_sea_m?: number;
                    acceleration_g?: number;
                    current_against_wind_kt?: number;
                    rain_mm_h?: number;
                    cape_j_kg?: number;
                    storm_km?: number;
                };
            };
            /** as POST /storms/approach; absent where storms were not asked for */
            storms?: {
                /** storms with a forecast in the time of the voyage: an empty list does not mean that no storm is near */
                results: components["schemas"]["StormEncounter"][];
                /** all other storms that are published, ordered by id: they may be near, now or later */
                without_forecast: {
                    id: string;
                    name: string | null;
                    /** false for a storm that has ended, which stays for 24 h */
                    is_active: boolean;
                    /** when it was last located; null if it never was */
                    last_fix_time: number | null;
                    /** distance of that last position, km, from where the vessel is now (before the voyage from its start, after it from its end); absent if the storm was never located */
                    km?: number;
                }[];
            };
            pieces?: components["schemas"]["PlanPiece"][];
        };
        PlanPiece: {
            /** position of the leg, from 0 */
            leg: number;
            /** where and when the piece begins */
            start: {
                latitude: number;
                longitude: number;
                timestamp: string;
            };
            /** its middle, where and when the weather is read: POST /MetOcean gives the same conditions there */
            at: {
                latitude: number;
                longitude: number;
                timestamp: string;
            };
            /** since the departure, at its start */
            elapsed_s: number;
            /** at most 1800 */
            duration_s: number;
            /** at most 10; 0 while the vessel is held */
            distance_nm: number;
            /** from its start */
            to_go_nm: number;
            /** over ground, TO */
            course_deg: number;
            /** where the bow points; null while the vessel is held */
            heading_deg: number | null;
            /** speed over ground, between tacks made good */
            sog_kt: number;
            /** speed through the water */
            stw_kt: number;
            /** held: it waits half an hour for current, wind or sea */
            mode: "motor" | "sail" | "held";
            /** true wind */
            wind_kt: number | null;
            /** true wind off the bow, −180..180, positive to starboard */
            wind_angle_deg: number | null;
            /** apparent wind */
            apparent_wind_kt: number | null;
            /** off the bow, −180..180, positive to starboard */
            apparent_wind_angle_deg: number | null;
            /** gusts */
            gust_kt: number | null;
            /** where the waves come from, off the bow, −180..180, positive to starboard */
            wave_angle_deg: number | null;
            /** negative where the vessel overtakes the waves; null where it moves with them */
            encounter_period_s: number | null;
            /** RMS vertical acceleration of a craft that follows the surface, of the worse tack; an upper bound for long ships */
            acceleration_g: number | null;
            /** uncomfortable from 0.1 g, severe from 0.2 g, dangerous from a wind of 48 kt (Beaufort 10) or a significant height of 6 m (sea state 7) */
            comfort: ("comfortable" | "uncomfortable" | "severe" | "dangerous") | null;
            /** as wave_angle_deg, of the swell */
            swell_angle_deg: number | null;
            /** as encounter_period_s, of the swell */
            swell_encounter_period_s: number | null;
            /** as acceleration_g, of the swell alone */
            swell_acceleration_g: number | null;
            /** along the course, negative against the vessel */
            current_along_kt: number | null;
            /** across the course, positive to starboard */
            current_across_kt: number | null;
            /** the limit that is nearest, or exceeded most; null where nothing is known */
            nearest_limit: {
                limit: "wind_kt" | "gust_kt" | "apparent_ahead_kt" | "head_sea_m" | "beam_sea_m" | "following_sea_m" | "acceleration_g" | "current_against_wind_kt" | "rain_mm_h" | "cape_j_kg" | "storm_km";
                ratio: number;
            } | null;
            flags: ("tacking" | "gybing" | "beyond_polar" | "becalmed" | "no_headway" | "current_too_strong" | "typical_speed" | "no_forecast" | "no_sea_data" | "synchronous_roll" | "parametric_roll")[];
            conditions: components["schemas"]["Conditions"];
        };
        PassageMeta: {
            distance_nm: number;
            legs: {
                kind: "great_circle" | "rhumb";
                distance_nm: number;
                /** at its start; null for a leg of no length */
                course_deg: number | null;
                /** at its end */
                final_course_deg: number | null;
            }[];
            /** legs that cross land, 2 n mi around both ends left out, and where each first does */
            crosses_land: {
                /** position of the leg, from 0 */
                leg: number;
                latitude: number;
                longitude: number;
                /** length over land; 0 where it is only touched */
                land_nm: number;
            }[];
            /** where the route is nearest to the coast of 1:10 million, more than 5 n mi from its ends; null where it keeps 3 n mi off */
            nearest_coast: {
                /** position of the leg, from 0 */
                leg: number;
                latitude: number;
                longitude: number;
                distance_nm: number;
            } | null;
            /** where the weather is not known */
            typical_speed_kt: number;
            /** in force */
            motor_table?: {
                heights_m: number[];
                head_kt: number[];
                bow_kt: number[];
                quarter_kt: number[];
                following_kt: number[];
            };
            /** in force, those of the request and the defaults */
            limits: {
                wind_kt: number | null;
                gust_kt: number | null;
                apparent_ahead_kt: number | null;
                head_sea_m: number | null;
                beam_sea_m: number | null;
                following_sea_m: number | null;
                acceleration_g: number | null;
                current_against_wind_kt: number | null;
                rain_mm_h: number | null;
                cape_j_kg: number | null;
                storm_km: number | null;
            };
            order: {
                /** positions in results, best first */
                fastest: number[];
                /** positions in results, best first */
                smoothest: number[];
                /** positions in results, best first */
                balanced: number[];
            };
            departures: {
                departure: string;
                verdict: "GO" | "CAUTION" | "NO";
                duration_s: number;
                mean_ratio: number | null;
                /** it arrives, and the wind is known all the way */
                is_whole: boolean;
            }[];
            provenance: components["schemas"]["Provenance"][];
            /** what the plans do not know, in words */
            knowledge: string[];
            /** of POST /passages/optimise only: what the second plan is; the legs above are those of the first */
            better?: components["schemas"]["BetterRoute"];
        };
        /** of POST /passages/optimise only: what the second plan is; the legs above are those of the first */
        BetterRoute: {
            objective: "within_limits" | "fastest";
            /** own: nothing better than the own route was found; shortest: the shortest way by water; search: found by isochrones */
            origin: "own" | "shortest" | "search";
            /** false: no route within the limits was found, and this is the least bad */
            keeps_limits: boolean;
            /** time beyond any limit, that of storms included */
            over_limits_s: {
                own: number;
                better: number;
            };
            /** time beyond the limits, each piece times the square of how many times one is exceeded, at most 16; of storms 1 from the least distance to 4 at the edge of the danger area of that time and 36 in its centre. Of fastest: storms alone */
            weighted_over_limits_s: {
                own: number;
                better: number;
            };
            /** on the coast of 1:10 million that the map shows */
            own_crosses_land: boolean;
            /** waypoints, as POST /passages/evaluate takes them */
            route: {
                latitude: number;
                longitude: number;
                leg: "great_circle" | "rhumb";
            }[];
            distance_nm: number;
            /** the better plan less the own one */
            difference: {
                duration_s: number;
                distance_nm: number;
                /** time beyond any limit */
                over_limits_s: number;
                /** worst true wind */
                max_wind_kt: number | null;
                /** worst gust */
                max_gust_kt: number | null;
                /** worst sea */
                max_height_m: number | null;
                /** worst piece */
                max_acceleration_g: number | null;
                motor_s: number;
            };
            /** the difference in words, in English */
            text: string;
        };
        TaskEntry: {
            task_id: string;
            task_name: string | null;
            kind: components["schemas"]["TaskKind"];
            created_at: string;
            /** when a worker took it last */
            started_at: string | null;
            progress: number;
            /** 1 is the next to run; null for one that runs or has ended */
            queue_position: number | null;
            status: "PENDING" | "SUCCESS" | "FAILURE";
            /** points, values of a map, or places of passages */
            size: number;
            finished_at: string | null;
            expires_at: string | null;
            error: string | null;
            /** of the result, compressed */
            result_bytes: number | null;
            receive_mail: boolean;
            /** why no mail comes that was asked for */
            notification: "not-configured" | null;
        };
        TaskKind: "MetOcean" | "2DMetOcean" | "files" | "passages/evaluate" | "passages/optimise";
        Storm: {
            schema_version: string;
            /** when this entry was made, Unix seconds */
            generated_at: number;
            provider: "jtwc" | "jma";
            /** basin, number and season year */
            id: string;
            name: string | null;
            /** season year; a southern season is named by its second year */
            year: number;
            basin: string;
            /** false once the provider has stopped tracking it */
            is_active: boolean;
            /** an area of interest that is no depression yet */
            is_invest: boolean;
            /** when the newest text on this storm was issued */
            bulletin_at?: number;
            /** host that gave that text, of a feed that is fetched */
            mirror?: string;
            /** active, but without a text for 12 h (invests 18 h): its feed stands still or has lost it */
            is_overdue?: boolean;
            /** other ids under which it was or is known: earlier numbers, another centre's, its invest's */
            aliases?: string[];
            units: {
                vmax_kt: string;
                mslp_hpa: string;
                speed_kmh: string;
                heading_deg: string;
                wind_radii_km: string;
                cone_radius_km: string;
                /** present if a point has it */
                sea_radii_km?: string;
            };
            track_bbox: {
                /** degrees north */
                s: number;
                /** degrees north */
                n: number;
                /** degrees east, in the −180..180 convention */
                w: number;
                /** degrees east, in the −180..180 convention */
                e: number;
            };
            /** present only while a forecast exists */
            cone?: components["schemas"]["StormCone"];
            tracks: {
                observed: components["schemas"]["TrackPoint"][];
                /** absent once the storm is no longer active */
                forecast?: components["schemas"]["StormForecast"];
            };
            /** of an invest: how likely it becomes a tropical cyclone; absent where no outlook names it */
            development?: components["schemas"]["StormDevelopment"];
            /** of an invest: present while an alert is in force */
            formation_alert?: components["schemas"]["FormationAlert"];
        };
        /** present only while a forecast exists */
        StormCone: {
            /** basin the cone was computed for */
            basin: string;
            source: "nhc" | "borrowed_nhc" | "jma";
            /** whose table is borrowed; null unless source is borrowed_nhc */
            source_basin: string | null;
            /** season of the radii table; null for jma */
            year: number | null;
            /** forecast hour → radius, km; null for jma */
            radii_table_km: {
                [key: string]: number;
            } | null;
            /** one per forecast hour that has a radius */
            circles: {
                fhr: number;
                /** degrees north */
                lat: number;
                /** degrees east, in the −180..180 convention */
                lon: number;
                /** km */
                r_km: number;
            }[];
            /** the forecast track, simplified */
            center_line: {
                /** degrees north */
                lat: number;
                /** degrees east, in the −180..180 convention */
                lon: number;
            }[];
            /** closed, counter-clockwise; null for jma */
            envelope_polygon: {
                /** degrees north */
                lat: number;
                /** degrees east, in the −180..180 convention */
                lon: number;
            }[] | null;
        };
        TrackPoint: {
            /** Unix time, seconds, UTC */
            time: number;
            /** degrees north */
            lat: number;
            /** degrees east, in the −180..180 convention */
            lon: number;
            /** maximum sustained wind, kt: a 1-minute mean of jtwc, a 10-minute mean of jma */
            vmax_kt: number | null;
            /** lowest sea-level pressure, hPa */
            mslp_hpa: number | null;
            type: ("DB" | "TD" | "TS" | "HU" | "PT" | "LO") | null;
            /** 1 to 5 for storms of 64 kt and more, else 0 */
            category: number | null;
            /** true bearing of motion, TO */
            heading_deg: number | null;
            /** forward speed, km/h */
            speed_kmh: number | null;
            /** reach of a wind by threshold and quadrant, km */
            wind_radii_km: ({
                "34kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "50kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "64kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
            } | {
                "30kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "50kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "64kn": null;
            }) | null;
            /** reach of seas of 12 ft (3.7 m) by quadrant, km; absent where the provider does not give it */
            sea_radii_km?: {
                "12ft": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                };
            };
            affectance_bbox: {
                /** degrees north */
                s: number;
                /** degrees north */
                n: number;
                /** degrees east, in the −180..180 convention */
                w: number;
                /** degrees east, in the −180..180 convention */
                e: number;
            };
            /** the box is scaled from the wind, not from given radii */
            affectance_bbox_estimated: boolean;
        };
        /** absent once the storm is no longer active */
        StormForecast: {
            /** base time of the forecast: time = issued_at + 3600 · fhr */
            issued_at: number;
            /** two newer forecasts are missing: now ≥ stale_at */
            is_stale?: boolean;
            /** issued_at + 12 h */
            stale_at?: number;
            /** issued_at + 24 h: from then on it is absent, with the cone */
            withdrawn_at?: number;
            cone_source: "nhc" | "borrowed_nhc" | "jma";
            points: components["schemas"]["ForecastPoint"][];
        };
        ForecastPoint: {
            /** Unix time, seconds, UTC */
            time: number;
            /** degrees north */
            lat: number;
            /** degrees east, in the −180..180 convention */
            lon: number;
            /** maximum sustained wind, kt: a 1-minute mean of jtwc, a 10-minute mean of jma */
            vmax_kt: number | null;
            /** lowest sea-level pressure, hPa */
            mslp_hpa: number | null;
            type: ("DB" | "TD" | "TS" | "HU" | "PT" | "LO") | null;
            /** 1 to 5 for storms of 64 kt and more, else 0 */
            category: number | null;
            /** true bearing of motion, TO */
            heading_deg: number | null;
            /** forward speed, km/h */
            speed_kmh: number | null;
            /** reach of a wind by threshold and quadrant, km */
            wind_radii_km: ({
                "34kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "50kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "64kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
            } | {
                "30kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "50kn": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                } | null;
                "64kn": null;
            }) | null;
            /** reach of seas of 12 ft (3.7 m) by quadrant, km; absent where the provider does not give it */
            sea_radii_km?: {
                "12ft": {
                    ne: number | null;
                    se: number | null;
                    sw: number | null;
                    nw: number | null;
                };
            };
            affectance_bbox: {
                /** degrees north */
                s: number;
                /** degrees north */
                n: number;
                /** degrees east, in the −180..180 convention */
                w: number;
                /** degrees east, in the −180..180 convention */
                e: number;
            };
            /** the box is scaled from the wind, not from given radii */
            affectance_bbox_estimated: boolean;
            /** hours after issued_at */
            fhr: number;
            /** absent at fhr 0 */
            cone_radius_km?: number | null;
        };
        /** of an invest: how likely it becomes a tropical cyclone; absent where no outlook names it */
        StormDevelopment: {
            likelihood: "low" | "medium" | "high";
            /** hours that likelihood refers to: 24 (JTWC) or 168 (NHC, CPHC) */
            within_hours: number;
            /** probability within 48 h, %; null where the agency states none (JTWC) */
            percent_48h: number | null;
            /** probability within 7 days, %; null where the agency states none (JTWC) */
            percent_7d: number | null;
            /** when it was issued */
            issued_at: number;
        };
        /** of an invest: present while an alert is in force */
        FormationAlert: {
            /** Unix time, seconds, UTC */
            issued_at: number;
            /** when it is reissued, upgraded to a warning or cancelled at the latest */
            valid_until: number;
            /** heading of the text */
            bulletin: string;
            /** of development within 24 h; null where the text states none */
            likelihood: ("low" | "medium" | "high") | null;
            /** axis of the corridor; one place where the area is a circle */
            line: {
                lat: number;
                lon: number;
            }[];
            /** distance of the edge from the line, km */
            half_width_km: number;
            /** all places within half_width_km of the line: closed, counter-clockwise */
            corridor: {
                lat: number;
                lon: number;
            }[];
            winds_kt: {
                min: number;
                max: number;
            } | null;
            mslp_hpa: number | null;
            /** true bearing of motion, TO; one of 16 points */
            heading_deg: number | null;
            speed_kmh: number | null;
            /** what the agency wrote */
            text: string;
        };
        StormOutlook: {
            /** heading of the text, or gtwo with the basin for NHC's areas */
            product: string;
            agency: "jtwc" | "nhc" | "cphc";
            /** whose areas it lists */
            basins: string[];
            /** Unix time, seconds, UTC */
            issued_at: number;
            /** null where the text states no end */
            valid_until: number | null;
            /** the areas of interest; empty where no development is expected */
            areas: {
                /** of the invest, else of the product and its number in it */
                id: string;
                /** id of its entry in GET /storms, where it is an invest */
                storm_id: string | null;
                /** the agency's number of the invest */
                designation: string | null;
                /** the agency's name of the area; JTWC has none */
                name: string | null;
                likelihood: "low" | "medium" | "high";
                /** hours that likelihood refers to: 24 (JTWC) or 168 (NHC, CPHC) */
                within_hours: number;
                /** probability within 48 h, %; null where the agency states none (JTWC) */
                percent_48h: number | null;
                /** probability within 7 days, %; null where the agency states none (JTWC) */
                percent_7d: number | null;
                /** where the disturbance is now; null where none is stated */
                place: {
                    lat: number;
                    lon: number;
                } | null;
                /** where a tropical cyclone may form: closed, counter-clockwise; null where none is published */
                polygon: {
                    lat: number;
                    lon: number;
                }[] | null;
                /** issue of the outlook that place and polygon are from, where it is an older one */
                drawn_at?: number;
                winds_kt: {
                    min: number;
                    max: number;
                } | null;
                mslp_hpa: number | null;
                text: string;
            }[];
            /** storms that the same text summarises; their entries are in GET /storms */
            systems: {
                kind: "tropical_cyclone" | "subtropical_system";
                designation: string | null;
                name: string | null;
                place: {
                    lat: number;
                    lon: number;
                } | null;
                text: string;
            }[];
        };
        StormEncounter: {
            provider: "jtwc" | "jma";
            id: string;
            name: string | null;
            wind_average_minutes: number;
            /** base time of the forecast that all of this is worked out from */
            issued_at: number;
            /** that forecast is 12 h old or older: two newer ones are missing */
            is_stale: boolean;
            /** the voyage and the forecast have the time from here */
            from: number;
            /** to here in common */
            until: number;
            /** from the vessel, where it is now or begins or ends, to the storm's centre now */
            now: {
                distance_km: number;
                bearing_deg: number;
            } | null;
            /** where the centre is nearest */
            closest: {
                /** Unix time, seconds, UTC */
                time: number;
                /** from the vessel to the storm's centre, km */
                distance_km: number;
                /** from the vessel to the storm's centre, true */
                bearing_deg: number;
                /** reach of 34 kt (jma: 30 kt) towards the vessel, km */
                gale_km: number;
                /** the reach is not given but typical of such a storm */
                gale_estimated: boolean;
                /** radius of the cone at the time, km */
                cone_km: number | null;
                /** distance less gale_km and cone_km, km; negative inside */
                clearance_km: number;
                /** dangerous is right of the storm's motion in the north, left in the south; null for one that stays */
                semicircle: ("dangerous" | "navigable") | null;
            };
            /** where least remains to gales and cone */
            least_clearance: {
                /** Unix time, seconds, UTC */
                time: number;
                /** from the vessel to the storm's centre, km */
                distance_km: number;
                /** from the vessel to the storm's centre, true */
                bearing_deg: number;
                /** reach of 34 kt (jma: 30 kt) towards the vessel, km */
                gale_km: number;
                /** the reach is not given but typical of such a storm */
                gale_estimated: boolean;
                /** radius of the cone at the time, km */
                cone_km: number | null;
                /** distance less gale_km and cone_km, km; negative inside */
                clearance_km: number;
                /** dangerous is right of the storm's motion in the north, left in the south; null for one that stays */
                semicircle: ("dangerous" | "navigable") | null;
            };
            arrivals: {
                threshold_kt: number;
                /** possible: only if the storm strays by the radius of its cone; not forecast: it might come when no radii are told */
                outlook: "expected" | "possible" | "not expected" | "not forecast";
                /** the storm nearer by the radius of its cone */
                earliest: number | null;
                /** the storm on its forecast track */
                likely: number | null;
                /** the storm further off by the radius of its cone */
                latest: number | null;
                /** on the forecast track; null where it lasts to told_until */
                ends: number | null;
                /** the forecast gives radii of this wind until then */
                told_until: number | null;
            }[];
            /** the way through the danger area; null for an area without an outline, or past its time */
            danger: {
                method: "classic" | "season";
                /** the voyage and the area have the time from here */
                from: number;
                /** to here in common; the area ends 72 h after issued_at */
                until: number;
                /** first within; equal to from if it is so at once, null if it keeps clear */
                enters: number | null;
                /** first outside again; null if it stays within, or keeps clear */
                leaves: number | null;
                /** least distance to the area, km; 0 where it enters */
                clearance_km: number;
                /** some reach of gales is not given but typical of such a storm */
                gale_estimated: boolean;
            } | null;
        };
        WatchQuestion: {
            /** something happens at a place in the next hours */
            kind: "place";
            /** degrees north */
            latitude: number;
            /** degrees east, in the −180..180 convention */
            longitude: number;
            /** @default 48 */
            window_hours?: number;
            /**
             * any: one condition is enough; all: at the same hour, a storm's distance at any hour
             * @default any
             */
            join?: "any" | "all";
            conditions: components["schemas"]["WatchCondition"][];
            /**
             * whose storms storm_nm looks at
             * @default jtwc
             */
            provider?: "jtwc" | "jma";
            /**
             * of the danger area
             * @default classic
             */
            storm_method?: "classic" | "season";
        } | {
            /** something happens on a passage, as far as it is ahead */
            kind: "route";
            route: components["schemas"]["Waypoint"][];
            departure: string;
            vessel: components["schemas"]["Vessel"];
            /**
             * any: one condition is enough; all: at the same hour, a storm's distance at any hour
             * @default any
             */
            join?: "any" | "all";
            conditions: components["schemas"]["WatchCondition"][];
            /**
             * whose storms storm_nm looks at
             * @default jtwc
             */
            provider?: "jtwc" | "jma";
            /**
             * of the danger area
             * @default classic
             */
            storm_method?: "classic" | "season";
        } | {
            /** so many hours on end in which all conditions hold */
            kind: "window";
            /** degrees north */
            latitude: number;
            /** degrees east, in the −180..180 convention */
            longitude: number;
            /**
             * looked for in so many hours from now
             * @default 120
             */
            window_hours?: number;
            /** @default 36 */
            lasting_hours?: number;
            conditions: components["schemas"]["WatchCondition"][];
        } | {
            /** a run of the forecast is published */
            kind: "new_run";
            /** as in result.meta of POST /MetOcean, such as gfs; any source where left out */
            source?: string;
        };
        WatchCondition: {
            /** with the unit in its name; storm_nm: distance of a storm's danger area, n mi, 0 within it; wind and gust at 10 m */
            quantity: "wind_kt" | "gust_kt" | "sea_m" | "swell_m" | "current_kt" | "rain_mm_h" | "pressure_hpa" | "cape_j_kg" | "storm_nm";
            /** true above this; either this or under */
            over?: number;
            /** true below this; storm_nm: only this */
            under?: number;
        };
        WatchedQuestion: {
            /** something happens at a place in the next hours */
            kind: "place";
            /** degrees north */
            latitude: number;
            /** degrees east, in the −180..180 convention */
            longitude: number;
            /** @default 48 */
            window_hours: number;
            /**
             * any: one condition is enough; all: at the same hour, a storm's distance at any hour
             * @default any
             */
            join: "any" | "all";
            conditions: components["schemas"]["WatchCondition"][];
            /**
             * whose storms storm_nm looks at
             * @default jtwc
             */
            provider: "jtwc" | "jma";
            /**
             * of the danger area
             * @default classic
             */
            storm_method: "classic" | "season";
        } | {
            /** something happens on a passage, as far as it is ahead */
            kind: "route";
            route: {
                /** degrees north */
                latitude: number;
                /** degrees east, in the −180..180 convention */
                longitude: number;
                /**
                 * how the waypoint is reached; of the first one ignored
                 * @default great_circle
                 */
                leg: "great_circle" | "rhumb";
            }[];
            departure: string;
            vessel: {
                kind: "fixed" | "motor" | "sail";
                /** through the water; fixed: always, motor: in calm water. Required for both */
                speed_kt?: number;
                /** motor: speed by significant height and where waves come from (head 0–45° off the bow, bow –90, quarter –135, following –180; linear between the middles of these); a typical one where left out */
                table?: components["schemas"]["MotorTable"];
                /** sail: a polar, TWA\TWS;6;8;10, then a line an angle (qtVlm, OpenCPN, ORC), or below !Expedition a line a wind; either this or polar_name */
                polar?: string;
                /** sail: a generic polar of our own */
                polar_name?: "cruising_10m" | "cruising_14m" | "catamaran_13m";
                /**
                 * sail: share of the polar's speed that is sailed
                 * @default 0.9
                 */
                factor: number;
                /** sail: speed under motor; without it there is none */
                motor_speed_kt?: number;
                /**
                 * sail: the motor runs where sails would make less good
                 * @default 3
                 */
                motor_below_kt: number;
                /** natural roll period: adds hints of rolling */
                roll_period_s?: number;
                /** for hints of parametric rolling */
                length_m?: number;
            };
            /**
             * any: one condition is enough; all: at the same hour, a storm's distance at any hour
             * @default any
             */
            join: "any" | "all";
            conditions: components["schemas"]["WatchCondition"][];
            /**
             * whose storms storm_nm looks at
             * @default jtwc
             */
            provider: "jtwc" | "jma";
            /**
             * of the danger area
             * @default classic
             */
            storm_method: "classic" | "season";
        } | {
            /** so many hours on end in which all conditions hold */
            kind: "window";
            /** degrees north */
            latitude: number;
            /** degrees east, in the −180..180 convention */
            longitude: number;
            /**
             * looked for in so many hours from now
             * @default 120
             */
            window_hours: number;
            /** @default 36 */
            lasting_hours: number;
            conditions: components["schemas"]["WatchCondition"][];
        } | {
            /** a run of the forecast is published */
            kind: "new_run";
            /** as in result.meta of POST /MetOcean, such as gfs; any source where left out */
            source?: string;
        };
        WatchFinding: {
            /** model or agency and base time */
            run: string | null;
            run_at: number | null;
            quantity: string | null;
            /** the nearest to its limit, or the furthest beyond */
            value: number | null;
            limit: number | null;
            unit: string | null;
            valid_at: number | null;
            /** of a weather window: all that were found */
            windows: {
                /** Unix time, seconds, UTC */
                from: number;
                /** Unix time, seconds, UTC */
                to: number;
            }[];
            /** of the hours looked at, those with a forecast */
            known_share: number;
            /** in words, in the language of the watch */
            sentence: string;
        };
        AlertMessage: {
            kind: "fired" | "cleared" | "new_run" | "test" | "channel";
            /** null for what no watch says */
            watch_id: string | null;
            watch_name: string;
            /** one line: what it is about */
            title: string;
            /** what, when, and by which run; plain text */
            sentence: string;
            language: string;
            /** model or agency and base time of the forecast, for people; null where there is none */
            run: string | null;
            /** that base time */
            run_at: number | null;
            /** the hour that the message is about */
            valid_at: number | null;
            /** until when it lasts, as far as the watch looks */
            ends_at: number | null;
            /** what value and limit are of, such as gust_kt */
            quantity: string | null;
            /** the greatest that decided, or the least where the limit is a least one */
            value: number | null;
            limit: number | null;
            /** of value and limit */
            unit: string | null;
            /** the hour of value */
            peak_at: number | null;
            /** from when it was found to valid_at */
            lead_hours: number | null;
            /** where it is, or what the watch is about */
            place: {
                latitude: number;
                longitude: number;
            } | null;
            /** path and query of the map in that state, without the host: /?p=…&t=… */
            link: string;
            /** the numbers come from the demo world: they are invented */
            synthetic: boolean;
        };
        Channel: {
            id: string;
            kind: "mail" | "webhook" | "ntfy";
            name: string;
            target: string;
            /** unconfirmed: nothing but the link is sent until its reader confirms it; failing: deliveries are tried again; disabled: they failed for a day, or the target is gone; unsubscribed: its reader wants no more */
            state: "unconfirmed" | "active" | "failing" | "disabled" | "unsubscribed";
            /** why the last delivery failed */
            error: string | null;
            /** of the error; codes may be added */
            error_code: ("status" | "gone" | "timeout" | "refused" | "broken" | "unknown_name" | "certificate" | "unreachable" | "forbidden" | "no_mail" | "mail_server" | "mail_refused" | "service" | "other") | null;
            failing_since: string | null;
            /** YYYY-MM-DDThh:mm:ssZ */
            created_at: string;
        };
        Feed: {
            /** as in the setting FEEDS */
            name: string;
            /** what it brings */
            title: string;
            /** the line that its licence asks for */
            credit: string;
            kind: "fields" | "storms";
            /** current: nothing newer is expected yet; growing: a newer run is arriving; waiting: nothing was fetched yet; late: what was expected has not come; failing: the last attempt failed */
            state: "current" | "growing" | "waiting" | "late" | "failing";
            /** base time of the newest run, or issue of the newest text */
            newest_run: string | null;
            /** seconds since newest_run, by the weather clock */
            age_s: number | null;
            /** steps of that run that are published */
            steps: number;
            /** steps of a whole run; 0 where steps do not apply */
            steps_expected: number;
            /** last time that is published */
            valid_until: string | null;
            /** when something newer is expected */
            next_expected: string | null;
            last_success: string | null;
            /** the newest failure since the last success, in words */
            last_error: {
                at: string;
                message: string;
            } | null;
            /** host that answered last */
            mirror: string | null;
            /** fetched since midnight UTC */
            bytes_today: number;
            /** files that were fetched, refused and kept for the operator */
            quarantined: number;
        };
        /** nodes farther from a storm's track or a route than asked for are missing */
        FileArea: {
            type: "box";
            /** [min_latitude, max_latitude] */
            latitude: [number, number];
            /** [min_longitude, max_longitude]; a minimum greater than the maximum crosses the antimeridian */
            longitude: [number, number];
        } | {
            type: "storm";
            provider: "jtwc" | "jma";
            /** as in GET /storms */
            id: string;
            /**
             * around the forecast track, nautical miles
             * @default 300
             */
            radius_nm?: number;
        } | {
            type: "route";
            /** joined by rhumb lines */
            waypoints: {
                /** degrees north */
                latitude: number;
                /** degrees east, in the −180..180 convention */
                longitude: number;
            }[];
            /**
             * on either side, nautical miles
             * @default 60
             */
            half_width_nm?: number;
        };
        ValidationIssue: {
            /** kind of the fault, such as missing or less_than_equal */
            type: string;
            /** where: ["body", "points", 0, "latitude"] */
            loc: (string | number)[];
            msg: string;
            /** the rule's own numbers and words */
            ctx?: {
                [key: string]: unknown;
            };
        };
        PointRequest: {
            points: components["schemas"]["Point"][];
            variables: components["schemas"]["Variable"][];
            /**
             * metres above the surface
             * @default 10
             */
            wind_height?: number;
            task_name?: string;
            /**
             * one mail to the owner of the key when the task ends
             * @default false
             */
            receive_mail?: boolean;
            /**
             * adds result.meta: where each number comes from
             * @default false
             */
            include_meta?: boolean;
        };
        PointRunsRequest: {
            points: components["schemas"]["Point"][];
            variables: components["schemas"]["Variable"][];
            /**
             * metres above the surface
             * @default 10
             */
            wind_height?: number;
            /**
             * how many runs of each variable, the newest among them
             * @default 5
             */
            last_runs?: number;
            /** base times of the runs, in place of last_runs */
            reference_times?: string[];
        };
        MapRequest: {
            bounding_boxes: components["schemas"]["BoundingBox"][];
            variable: "current" | "wind" | "wave";
            /**
             * true makes a task of it, whose result is at /task/{task_id}
             * @default false
             */
            async?: boolean;
            task_name?: string;
            /**
             * one mail to the owner of the key when the task ends
             * @default false
             */
            receive_mail?: boolean;
            /**
             * adds result.meta: where the numbers come from
             * @default false
             */
            include_meta?: boolean;
        };
        FileRequest: {
            /** nodes farther from a storm's track or a route than asked for are missing */
            area: components["schemas"]["FileArea"];
            variables: components["schemas"]["Variable"][];
            /** first instant */
            from: string;
            /** last instant, at most 31 days later */
            to: string;
            /** only instants at whole multiples since midnight UTC; without it all native steps of the variables */
            step_hours?: 1 | 2 | 3 | 4 | 6 | 8 | 12 | 24;
            /**
             * only every so many rows and columns of the grid
             * @default 1
             */
            stride?: number;
            /**
             * metres above the surface
             * @default 10
             */
            wind_height?: number;
            /** @default grib2 */
            format?: "grib2" | "netcdf" | "csv";
            /**
             * of GRIB2: simple for navigation programs; complex is smaller, and is read by eccodes, cdo, xarray and OpenCPN
             * @default simple
             */
            packing?: "simple" | "complex";
            /**
             * answers only how large the file will be
             * @default false
             */
            estimate?: boolean;
            /**
             * true makes a task of it, whose result is at /task/{task_id}
             * @default false
             */
            async?: boolean;
            task_name?: string;
            /**
             * one mail to the owner of the key when the task ends
             * @default false
             */
            receive_mail?: boolean;
        };
        StormApproachRequest: {
            /** whose storms */
            provider: "jtwc" | "jma";
            /** a vessel on a constant course; either this or route */
            vessel?: {
                /** degrees north */
                latitude: number;
                /** degrees east, in the −180..180 convention */
                longitude: number;
                /** when the vessel is there; now where it is left out */
                timestamp?: string;
                /** true course, TO; kept along a rhumb line */
                course_deg: number;
                /** speed over ground, kt; 0 for a place */
                speed_kt: number;
            };
            /** waypoints ascending in time, joined by rhumb lines; either this or vessel */
            route?: {
                /** degrees north */
                latitude: number;
                /** degrees east, in the −180..180 convention */
                longitude: number;
                /** when the vessel passes it */
                timestamp: string;
            }[];
            /** approaches before are left out, as of a vessel whose position is hours old; the beginning of the voyage where it is left out */
            from?: string;
            /**
             * of the danger area
             * @default classic
             */
            method?: "classic" | "season";
        };
        PassageRequest: {
            /** waypoints; legs take the shorter way across 180° */
            route: components["schemas"]["Waypoint"][];
            /** one departure; either this or departures */
            departure?: string;
            /** up to 250 departures */
            departures?: components["schemas"]["Departures"];
            vessel: components["schemas"]["Vessel"];
            limits?: components["schemas"]["PassageLimits"];
            /** adds the pieces of each plan; where left out, those of a single departure are there */
            include_pieces?: boolean;
            /** whose storms are looked at; none where left out */
            storms?: "jtwc" | "jma";
            /**
             * of the danger area
             * @default classic
             */
            storm_method?: "classic" | "season";
            /**
             * true makes a task of it, whose result is at /task/{task_id}
             * @default false
             */
            async?: boolean;
            task_name?: string;
            /**
             * one mail to the owner of the key when the task ends
             * @default false
             */
            receive_mail?: boolean;
        };
        OptimiseRequest: {
            /** the user's own route; the better one has its first and its last waypoint */
            route: components["schemas"]["Waypoint"][];
            departure: string;
            vessel: components["schemas"]["Vessel"];
            limits?: components["schemas"]["PassageLimits"];
            /**
             * within_limits: within the limits all the way, else the least sum of time and eight times the weighted time beyond them; fastest: of the limits that of storms counts, the others are only shown
             * @default within_limits
             */
            objective?: "within_limits" | "fastest";
            /**
             * adds the pieces of both plans
             * @default true
             */
            include_pieces?: boolean;
            /** whose storms are kept clear of, by limits.storm_km; none where left out */
            storms?: "jtwc" | "jma";
            /**
             * of the danger area
             * @default classic
             */
            storm_method?: "classic" | "season";
            /**
             * true makes a task of it, whose result is at /task/{task_id}
             * @default false
             */
            async?: boolean;
            task_name?: string;
            /**
             * one mail to the owner of the key when the task ends
             * @default false
             */
            receive_mail?: boolean;
        };
        ChannelRequest: {
            kind: "mail" | "webhook" | "ntfy";
            /** for the list; the target where it is absent */
            name?: string;
            /** mail: an address. webhook: an https URL that receives a POST for each alert, signed as Standard Webhooks 1.0 says. ntfy: the https URL of a topic, such as https://ntfy.sh/my-topic */
            target: string;
            /** ntfy: access token of the server, if the topic needs one */
            token?: string;
            /** mail: of the e-mail with the link; en by default */
            language?: string;
        };
        WatchRequest: {
            name: string;
            question: components["schemas"]["WatchQuestion"];
            /**
             * of the messages
             * @default en
             */
            language?: "en" | "fr" | "es" | "de" | "pt" | "ja" | "zh";
            /**
             * true: not evaluated until it is changed
             * @default false
             */
            paused?: boolean;
            /** ids of GET /channels; all channels of the owner where left out, the inbox alone if empty */
            channels?: string[];
            /** not evaluated from then on; 90 days from now, of a route 10 days after its departure */
            expires_at?: string;
        };
        AlertsRead: {
            /** all alerts where left out */
            ids?: string[];
        };
        EdrTrajectoryRequest: {
            /** as in the query */
            coords: string;
            /** an instant, a day such as 2026-01-01, or a range whose open ends are .. such as 2026-01-01T00:00:00Z/..; all times of the collection where absent */
            datetime?: string;
            /** parameters of the collection with commas between them; all where absent */
            "parameter-name"?: string;
            /** height of the wind, metres above the surface, 10 to 100; 10 where absent */
            z?: string;
            /** CRS84 where absent: longitude before latitude; EPSG:4326 has the latitude first, in coords and bbox */
            crs?: string;
            /** the format, in place of the header Accept: one of output_formats; json is CoverageJSON */
            f?: string;
        };
        PointResponse: {
            task_id: string[];
            status: "SUCCESS";
            result: components["schemas"]["PointResult"];
        };
        PointRunsResponse: {
            task_id: string;
            status: "SUCCESS";
            result: {
                /** newest first */
                results: components["schemas"]["PointRun"][];
                execution_time: string;
                meta: {
                    missing: {
                        variable: components["schemas"]["Variable"];
                        reference_time: string | null;
                        reason: "static" | "past" | "out_of_archive" | "out_of_domain" | "not_in_archive" | "fewer";
                        /** in words */
                        message: string;
                    }[];
                };
            };
        };
        MapResponse: {
            task_id: string;
            status: "SUCCESS";
            result: components["schemas"]["MapResult"];
        };
        FileEstimate: {
            estimate: {
                /** @default grib2 */
                format: "grib2" | "netcdf" | "csv";
                /** about; before compression of the transfer */
                bytes: number;
                /** steps × rows × columns × fields, against the limits of GET /limits */
                values: number;
                steps: number;
                rows: number;
                columns: number;
                fields: number;
                /** can be answered at once */
                at_once: boolean;
                /** can be answered by a task */
                as_task: boolean;
                /** first and last row */
                latitude: [number, number];
                /** first and last column, west to east */
                longitude: [number, number];
                /** distance of rows and of columns, degrees */
                resolution: [number, number];
                from: string;
                to: string;
            };
        };
        PassageResponse: {
            task_id: string;
            status: "SUCCESS";
            result: components["schemas"]["PassageResult"];
        };
        Failure: {
            task_id: string;
            status: "FAILURE";
            error: string;
        };
        TaskCreated: {
            task_id: string;
            status: "PENDING";
        };
        PendingTask: {
            task_id: string;
            task_name: string | null;
            kind: components["schemas"]["TaskKind"];
            created_at: string;
            /** when a worker took it last */
            started_at: string | null;
            progress: number;
            /** 1 is the next to run; null for one that runs or has ended */
            queue_position: number | null;
            status: "PENDING";
        };
        FinishedPoints: {
            task_id: string[];
            status: "SUCCESS";
            result: components["schemas"]["PointResult"];
            task_name: string | null;
            created_at: string;
            finished_at: string;
            /** when it can no longer be read */
            expires_at: string;
        };
        FinishedMap: {
            task_id: string;
            status: "SUCCESS";
            result: components["schemas"]["MapResult"];
            task_name: string | null;
            created_at: string;
            finished_at: string;
            /** when it can no longer be read */
            expires_at: string;
        };
        FinishedFile: {
            task_id: string;
            status: "SUCCESS";
            result: {
                results: {
                    coordinates: {
                        /** ascending */
                        latitude: number[];
                        /** west to east; −180..180 also where the box crosses 180 */
                        longitude: number[];
                        /** a list for a range */
                        timestamp: string | string[];
                    };
                    /** by field: [time][latitude][longitude]; for GRIB2 vectors are components */
                    conditions: {
                        [key: string]: (number | null)[][][];
                    };
                }[];
                execution_time: string;
                meta?: components["schemas"]["MapMeta"];
            };
            task_name: string | null;
            created_at: string;
            finished_at: string;
            /** when it can no longer be read */
            expires_at: string;
        };
        FinishedPassage: {
            task_id: string;
            status: "SUCCESS";
            result: components["schemas"]["PassageResult"];
            task_name: string | null;
            created_at: string;
            finished_at: string;
            /** when it can no longer be read */
            expires_at: string;
        };
        FailedTask: {
            task_id: string;
            status: "FAILURE";
            error: string;
            task_name: string | null;
            created_at: string;
            finished_at: string;
            /** when it can no longer be read */
            expires_at: string;
        };
        TaskList: {
            results: components["schemas"]["TaskEntry"][];
        };
        StormsResponse: {
            results: components["schemas"]["Storm"][];
        };
        StormHistory: {
            results: {
                /** when the bulletin was issued */
                issued_at: number;
                entry: components["schemas"]["Storm"];
            }[];
            /** of an invest that has become a storm: the id under which that is published */
            continued_as?: string;
        };
        StormOutlooks: {
            /** the newest outlook of each basin; a basin without one is unknown */
            results: components["schemas"]["StormOutlook"][];
        };
        StormDanger: {
            provider: "jtwc" | "jma";
            id: string;
            name: string | null;
            method: "classic" | "season";
            /** whose reach it is: 34 kt at jtwc, 30 kt at jma */
            threshold_kt: number;
            /** base time of the forecast, Unix seconds */
            issued_at: number;
            /** how it is made, in words */
            rule: string;
            circles: {
                lat: number;
                lon: number;
                /** hours after issued_at, to 72 */
                fhr: number;
                /** Unix time, seconds, UTC */
                time: number;
                /** wind and error together, km */
                r_km: number;
                /** furthest reach of the wind, km */
                wind_km: number;
                /** error of the forecast position, km */
                error_km: number;
                /** the reach is not given but typical of such a storm */
                wind_estimated: boolean;
            }[];
            /** what the circles sweep: closed, counter-clockwise */
            polygon: {
                lat: number;
                lon: number;
            }[] | null;
            notice: string;
        };
        StormApproach: {
            /** storms with a forecast in the time of the voyage: an empty list does not mean that no storm is near */
            results: components["schemas"]["StormEncounter"][];
            /** all other storms that are published, ordered by id: they may be near, now or later */
            without_forecast: {
                id: string;
                name: string | null;
                /** false for a storm that has ended, which stays for 24 h */
                is_active: boolean;
                /** when it was last located; null if it never was */
                last_fix_time: number | null;
                /** distance of that last position, km, from where the vessel is now (before the voyage from its start, after it from its end); absent if the storm was never located */
                km?: number;
            }[];
            notice: string;
        };
        ChannelList: {
            channels: components["schemas"]["Channel"][];
            /** this service sends e-mails */
            mail: boolean;
            /** there is an address of the calendar of weather windows */
            calendar: boolean;
        };
        ChannelCreated: {
            id: string;
            kind: "mail" | "webhook" | "ntfy";
            name: string;
            target: string;
            /** unconfirmed: nothing but the link is sent until its reader confirms it; failing: deliveries are tried again; disabled: they failed for a day, or the target is gone; unsubscribed: its reader wants no more */
            state: "unconfirmed" | "active" | "failing" | "disabled" | "unsubscribed";
            /** why the last delivery failed */
            error: string | null;
            /** of the error; codes may be added */
            error_code: ("status" | "gone" | "timeout" | "refused" | "broken" | "unknown_name" | "certificate" | "unreachable" | "forbidden" | "no_mail" | "mail_server" | "mail_refused" | "service" | "other") | null;
            failing_since: string | null;
            /** YYYY-MM-DDThh:mm:ssZ */
            created_at: string;
            /** of a webhook, whsec_…: it is shown once */
            secret: string | null;
        };
        ChannelSecret: {
            /** whsec_…: it is shown once. The one before signs too for a day */
            secret: string;
        };
        ChannelTest: {
            delivered: boolean;
            /** why it was not */
            error: string | null;
            /** of the error; codes may be added */
            error_code: ("status" | "gone" | "timeout" | "refused" | "broken" | "unknown_name" | "certificate" | "unreachable" | "forbidden" | "no_mail" | "mail_server" | "mail_refused" | "service" | "other") | null;
        };
        CalendarAddress: {
            /** whoever has it reads the calendar: it is shown once, and can be changed */
            url: string;
        };
        Watch: {
            id: string;
            name: string;
            question: components["schemas"]["WatchedQuestion"];
            language: "en" | "fr" | "es" | "de" | "pt" | "ja" | "zh";
            paused: boolean;
            /** null: all of the owner's */
            channels: string[] | null;
            /** waiting: not evaluated yet; firing: it fired and has not cleared; unknown: there is no forecast for it; failed: tried again */
            state: "waiting" | "quiet" | "firing" | "unknown" | "failed" | "paused" | "expired";
            found: components["schemas"]["WatchFinding"] | null;
            error: string | null;
            created_at: string;
            evaluated_at: string | null;
            expires_at: string;
        };
        WatchList: {
            results: components["schemas"]["Watch"][];
        };
        Alert: {
            id: string;
            kind: "fired" | "cleared" | "new_run" | "test" | "channel";
            message: components["schemas"]["AlertMessage"];
            created_at: string;
            read_at: string | null;
        };
        AlertList: {
            results: components["schemas"]["Alert"][];
            /** alerts of the owner that are not marked as read, in all */
            unread: number;
        };
        AlertSent: {
            id: string;
            message: components["schemas"]["AlertMessage"];
        };
        Feeds: {
            /** the weather clock, by which ages count; without the error that is known of it */
            now: string;
            /** how far the clock of this server is ahead, seconds, by the hosts of its feeds; negative where it is slow, 0 within five minutes, null where several hosts have not been heard lately */
            clock_error_s: number | null;
            /** the feeds that are turned on; empty where none is */
            feeds: components["schemas"]["Feed"][];
            disk: {
                /** published runs */
                bytes: number;
                /** null without a budget */
                budget_bytes: number | null;
            };
        };
        EdrLanding: {
            title: string;
            description: string;
            links: components["schemas"]["EdrLink"][];
        };
        EdrConformance: {
            conformsTo: string[];
        };
        EdrCollections: {
            links: components["schemas"]["EdrLink"][];
            collections: components["schemas"]["EdrCollection"][];
        };
        EdrCollection: {
            id: string;
            title: string;
            description: string;
            itemType?: "feature";
            layerDataType?: "Coverage";
            links: components["schemas"]["EdrLink"][];
            extent: {
                spatial: {
                    bbox: number[][];
                    crs: string;
                };
                temporal?: {
                    interval: (string | null)[][];
                    values?: string[];
                    trs: string;
                };
                vertical?: {
                    interval: string[][];
                    values: string[];
                    vrs: string;
                };
            };
            data_queries: {
                [key: string]: {
                    link: {
                        [key: string]: unknown;
                    };
                };
            };
            crs: string[];
            output_formats: string[];
            parameter_names: {
                [key: string]: {
                    id: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        EdrInstances: {
            links: components["schemas"]["EdrLink"][];
            instances: components["schemas"]["EdrCollection"][];
        };
        EdrError: {
            code: string;
            description: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Point = components['schemas']['Point'];
export type Variable = components['schemas']['Variable'];
export type PointResult = components['schemas']['PointResult'];
export type PointConditions = components['schemas']['PointConditions'];
export type Conditions = components['schemas']['Conditions'];
export type PointMeta = components['schemas']['PointMeta'];
export type Provenance = components['schemas']['Provenance'];
export type PointRun = components['schemas']['PointRun'];
export type BoundingBox = components['schemas']['BoundingBox'];
export type MapResult = components['schemas']['MapResult'];
export type MapConditions = components['schemas']['MapConditions'];
export type MapMeta = components['schemas']['MapMeta'];
export type EdrLink = components['schemas']['EdrLink'];
export type Waypoint = components['schemas']['Waypoint'];
export type Departures = components['schemas']['Departures'];
export type Vessel = components['schemas']['Vessel'];
export type MotorTable = components['schemas']['MotorTable'];
export type PassageLimits = components['schemas']['PassageLimits'];
export type PassageResult = components['schemas']['PassageResult'];
export type Plan = components['schemas']['Plan'];
export type PlanPiece = components['schemas']['PlanPiece'];
export type PassageMeta = components['schemas']['PassageMeta'];
export type BetterRoute = components['schemas']['BetterRoute'];
export type TaskEntry = components['schemas']['TaskEntry'];
export type TaskKind = components['schemas']['TaskKind'];
export type Storm = components['schemas']['Storm'];
export type StormCone = components['schemas']['StormCone'];
export type TrackPoint = components['schemas']['TrackPoint'];
export type StormForecast = components['schemas']['StormForecast'];
export type ForecastPoint = components['schemas']['ForecastPoint'];
export type StormDevelopment = components['schemas']['StormDevelopment'];
export type FormationAlert = components['schemas']['FormationAlert'];
export type StormOutlook = components['schemas']['StormOutlook'];
export type StormEncounter = components['schemas']['StormEncounter'];
export type WatchQuestion = components['schemas']['WatchQuestion'];
export type WatchCondition = components['schemas']['WatchCondition'];
export type WatchedQuestion = components['schemas']['WatchedQuestion'];
export type WatchFinding = components['schemas']['WatchFinding'];
export type AlertMessage = components['schemas']['AlertMessage'];
export type Channel = components['schemas']['Channel'];
export type Feed = components['schemas']['Feed'];
export type FileArea = components['schemas']['FileArea'];
export type ValidationIssue = components['schemas']['ValidationIssue'];
export type PointRequest = components['schemas']['PointRequest'];
export type PointRunsRequest = components['schemas']['PointRunsRequest'];
export type MapRequest = components['schemas']['MapRequest'];
export type FileRequest = components['schemas']['FileRequest'];
export type StormApproachRequest = components['schemas']['StormApproachRequest'];
export type PassageRequest = components['schemas']['PassageRequest'];
export type OptimiseRequest = components['schemas']['OptimiseRequest'];
export type ChannelRequest = components['schemas']['ChannelRequest'];
export type WatchRequest = components['schemas']['WatchRequest'];
export type AlertsRead = components['schemas']['AlertsRead'];
export type EdrTrajectoryRequest = components['schemas']['EdrTrajectoryRequest'];
export type PointResponse = components['schemas']['PointResponse'];
export type PointRunsResponse = components['schemas']['PointRunsResponse'];
export type MapResponse = components['schemas']['MapResponse'];
export type FileEstimate = components['schemas']['FileEstimate'];
export type PassageResponse = components['schemas']['PassageResponse'];
export type Failure = components['schemas']['Failure'];
export type TaskCreated = components['schemas']['TaskCreated'];
export type PendingTask = components['schemas']['PendingTask'];
export type FinishedPoints = components['schemas']['FinishedPoints'];
export type FinishedMap = components['schemas']['FinishedMap'];
export type FinishedFile = components['schemas']['FinishedFile'];
export type FinishedPassage = components['schemas']['FinishedPassage'];
export type FailedTask = components['schemas']['FailedTask'];
export type TaskList = components['schemas']['TaskList'];
export type StormsResponse = components['schemas']['StormsResponse'];
export type StormHistory = components['schemas']['StormHistory'];
export type StormOutlooks = components['schemas']['StormOutlooks'];
export type StormDanger = components['schemas']['StormDanger'];
export type StormApproach = components['schemas']['StormApproach'];
export type ChannelList = components['schemas']['ChannelList'];
export type ChannelCreated = components['schemas']['ChannelCreated'];
export type ChannelSecret = components['schemas']['ChannelSecret'];
export type ChannelTest = components['schemas']['ChannelTest'];
export type CalendarAddress = components['schemas']['CalendarAddress'];
export type Watch = components['schemas']['Watch'];
export type WatchList = components['schemas']['WatchList'];
export type Alert = components['schemas']['Alert'];
export type AlertList = components['schemas']['AlertList'];
export type AlertSent = components['schemas']['AlertSent'];
export type Feeds = components['schemas']['Feeds'];
export type EdrLanding = components['schemas']['EdrLanding'];
export type EdrConformance = components['schemas']['EdrConformance'];
export type EdrCollections = components['schemas']['EdrCollections'];
export type EdrCollection = components['schemas']['EdrCollection'];
export type EdrInstances = components['schemas']['EdrInstances'];
export type EdrError = components['schemas']['EdrError'];

export type PointMediaType = "text/csv" | "application/x-ndjson" | "application/vnd.apache.arrow.stream" | "application/x-netcdf" | "application/geo+json";
export type MapMediaType = "text/csv" | "application/x-ndjson" | "application/vnd.apache.arrow.stream" | "application/x-netcdf" | "application/vnd.metocean.field+binary" | "application/x-grib2" | "application/x-grib2-complex";
export type PassageMediaType = "text/csv" | "application/x-netcdf" | "application/geo+json" | "application/gpx+xml";
