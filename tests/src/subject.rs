//! Real applications to record and replay, prepared so that they run without any network.

use crate::archive::{Archive, Registry, complete_folder, store};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A real application: where it comes from, and what makes it ready to be served.
#[derive(Debug)]
pub struct Subject {
    pub name: &'static str,
    archives: &'static [Archive],
    prepare: fn(&Path) -> Result<()>,
}

pub(crate) const fn npm(name: &'static str, version: &'static str, sha256: &'static str) -> Archive {
    Archive {
        registry: Registry::Npm,
        name,
        version,
        sha256,
    }
}

const fn debian(name: &'static str, version: &'static str, sha256: &'static str) -> Archive {
    Archive {
        registry: Registry::Debian,
        name,
        version,
        sha256,
    }
}

const fn pypi(name: &'static str, version: &'static str, sha256: &'static str) -> Archive {
    Archive {
        registry: Registry::PyPi,
        name,
        version,
        sha256,
    }
}

const JQUERY: Archive = debian(
    "libjs-jquery",
    "3.6.1+dfsg+~3.5.14-1",
    "a58c9ff6afe96c769cb6535754c909410760e4efa1e1540236194e489adcfb25",
);

pub const TODOMVC: Subject = Subject {
    name: "todomvc",
    archives: &[npm(
        "todomvc",
        "0.1.1",
        "fd6f05a878cddee9b987ee449d8defa447d087d6b6ffc1d816bbb2cd64a6705f",
    )],
    prepare: as_it_is,
};

pub const JQUERY_MOBILE: Subject = Subject {
    name: "jquery-mobile",
    archives: &[npm(
        "jquery-mobile",
        "1.4.1",
        "bbd66a81ecad8a992c7790165941dcd5a315140b8fa2d8e223914e0a6c9a50b4",
    )],
    prepare: share_scripts_with_each_demo,
};

pub const P2: Subject = Subject {
    name: "p2",
    archives: &[npm(
        "p2",
        "0.7.1",
        "499eece327fd0f9aeebe447c29ea27a2457381a9038cad79f4408b179d7d5b9f",
    )],
    prepare: as_it_is,
};

pub const VIS: Subject = Subject {
    name: "vis",
    archives: &[npm(
        "vis",
        "4.21.0",
        "e3798aa80940e79f4d89c3282c3da49c1ca227bf92bef28e2686ae5b51fee08a",
    )],
    prepare: as_it_is,
};

pub const SVGEDIT: Subject = Subject {
    name: "svgedit",
    archives: &[npm(
        "svgedit",
        "7.4.1",
        "9b1b9ebdd0d41eacc89bb185a2c6423accaf2905d3a07e03f3a248193719f101",
    )],
    prepare: as_it_is,
};

pub const CKEDITOR: Subject = Subject {
    name: "ckeditor",
    archives: &[npm(
        "ckeditor4",
        "4.22.1",
        "5686be153455f210d2fbe0030d801a5b316fea8f0cad0b55d2edb56bd76846d8",
    )],
    prepare: as_it_is,
};

pub const ACE: Subject = Subject {
    name: "ace",
    archives: &[npm(
        "ace-builds",
        "1.45.2",
        "5260354a14533fa8e94572597b1ff53025b1bb0a9b2e25d50ecf2a01e57aa9e0",
    )],
    prepare: as_it_is,
};

pub const SWAGGER_UI: Subject = Subject {
    name: "swagger-ui",
    archives: &[npm(
        "swagger-ui-dist",
        "5.35.0",
        "1b8e891893404ea4c3558b6a87e2a3e494e7eedba41168c2ece5800a391a6ea6",
    )],
    prepare: describe_a_local_api,
};

pub const REVEAL: Subject = Subject {
    name: "reveal",
    archives: &[npm(
        "reveal.js",
        "6.0.2",
        "2f0c20bfb02447a198a1ebe8a8c097a5437d035caa38f2820bf4ba887a3eac91",
    )],
    prepare: as_it_is,
};

pub const JQUERY_UI: Subject = Subject {
    name: "jquery-ui",
    archives: &[
        JQUERY,
        debian(
            "libjs-jquery-ui",
            "1.13.2+dfsg-1",
            "10e19573adde01d1276ddb4cf0453fbfb070b9b867162b6f7f10708b0631d369",
        ),
        debian(
            "libjs-jquery-ui-docs",
            "1.13.2+dfsg-1",
            "9582e7be0561b95899f01f618f5d6a0e6742e5a0397d52d1dad5ce04bf680fe4",
        ),
        debian(
            "libjs-requirejs",
            "2.3.6+ds+~2.1.34-2",
            "fafba00fa76d9cd05eb65ebf9658bdc0a044fea864e7fac6c4d695fa9a5083b5",
        ),
    ],
    prepare: put_require_where_the_demos_look,
};

pub const FLOT: Subject = Subject {
    name: "flot",
    archives: &[
        JQUERY,
        debian(
            "libjs-jquery-flot",
            "4.2.1+dfsg-6",
            "576ba17818a8351abd4ab62727461ba1075aa2e08e3bd7fce8ce99b8e4dbabcb",
        ),
        debian(
            "libjs-jquery-flot-docs",
            "4.2.1+dfsg-6",
            "0e19f7e9e6dae8b0293b5744769ee3c63305eca29d937552ae8cc732bfc6c422",
        ),
    ],
    prepare: as_it_is,
};

pub const DJANGO: Subject = Subject {
    name: "django",
    archives: &[
        pypi(
            "django",
            "5.2.19",
            "5965d974a5218a2b68a11dd1276434707f23886525c23f0598eccedaf4f4ca00",
        ),
        pypi(
            "asgiref",
            "3.13.0",
            "f9596a2434512686473d50f96ff6207fbba49ae1a785dfac614df4aeb085674d",
        ),
        pypi(
            "sqlparse",
            "0.6.1",
            "3be5a72d04c873d690d7c6dedd33d6fae2ef82759881ceec02fc2efd0cba564f",
        ),
    ],
    prepare: crate::django::make_database,
};

pub const NODE_RED: Subject = Subject {
    name: "node-red",
    archives: &[npm(
        "node-red",
        "4.1.15",
        "ba836f14626df2b56865b26c5926780c82f3de20539925ef5be856abbf377ebf",
    )],
    prepare: crate::node_red::install_dependencies,
};

impl Subject {
    /// The folder with the application in it, fetched and prepared at the first call.
    pub fn folder(&self) -> Result<PathBuf> {
        let folder = store().join(self.version_name());
        complete_folder(&folder, |filling| {
            for archive in self.archives {
                archive.unpack_into(filling)?;
            }
            (self.prepare)(filling)
        })
        .with_context(|| format!("preparing the subject `{}`", self.name))?;
        Ok(folder)
    }

    /// Names the folder so that another version, or another preparation, never meets an older one's files.
    fn version_name(&self) -> String {
        let versions: Vec<&str> = self.archives.iter().map(|archive| archive.version).collect();
        format!("{}-{}", self.name, versions.join("-"))
    }
}

fn as_it_is(_: &Path) -> Result<()> {
    Ok(())
}

/// Each demo loads `../js/`, which the published package has only once, at the top.
fn share_scripts_with_each_demo(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder.join("dist/demos"))? {
        let demo = entry?.path();
        if demo.join("index.html").exists() && !demo.join("js").exists() {
            std::os::unix::fs::symlink("../js", demo.join("js"))?;
        }
    }
    Ok(())
}

fn put_require_where_the_demos_look(folder: &Path) -> Result<()> {
    let wanted = folder.join("usr/share/nodejs");
    std::fs::create_dir_all(&wanted)?;
    std::fs::copy(
        folder.join("usr/share/javascript/requirejs/require.js"),
        wanted.join("require.js"),
    )?;
    Ok(())
}

/// The package shows an API that lives on the internet; ours is answered by the server that serves the page.
fn describe_a_local_api(folder: &Path) -> Result<()> {
    let initializer = folder.join("swagger-initializer.js");
    let script = std::fs::read_to_string(&initializer)?;
    let local = script.replace("https://petstore.swagger.io/v2/swagger.json", "/api.json");
    anyhow::ensure!(
        local != script,
        "swagger-initializer.js names another API than expected"
    );
    std::fs::write(&initializer, local)?;
    std::fs::write(folder.join("api.json"), include_str!("subject/api.json"))?;
    std::fs::create_dir_all(folder.join("pets"))?;
    std::fs::write(
        folder.join("pets/7"),
        r#"{"id": 7, "name": "Rex", "tags": ["dog", "old"]}"#,
    )?;
    Ok(())
}
